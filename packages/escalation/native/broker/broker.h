#ifndef CODEX_BROKER_H
#define CODEX_BROKER_H

/* codex-escalation-broker CONFIG_FD PROGRAM ARGV0 [ARGV1 ...]: leaves a broker behind and becomes the program. */
int broker_main(int argc, char **argv);

#endif
