#ifndef CODEX_WRAPPER_H
#define CODEX_WRAPPER_H

/* codex-execve-wrapper FILE ARGV0 ARGV1 …: asks whether FILE may be executed, and does what is answered. */
int wrapper_main(int argc, char **argv);

#endif
