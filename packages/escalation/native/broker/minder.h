/* One process per escalation: starts the program outside, stays beside it, and ends its tree. It is forked while the server decides,
   so that nobody waits for that, and does nothing before it is told to. */
#ifndef CODEX_MINDER_H
#define CODEX_MINDER_H

#include "session.h"

#include <stdint.h>

/* What a minder reports to the broker, once, before it ends. The text says why a program could not be started. */
struct minder_report { uint32_t code; uint32_t is_abandoned; char error[256]; };

/* Forks a minder. Returns the broker's end of their link: it becomes readable with the report and hangs up with the minder; closing it
   ends the minder and its tree. -1 with errno. */
int minder_start(const struct session *session, pid_t *pid);
/* The program is to be started with this environment, which ends with NULL; a script by the name that it was called by, or where it
   lies. From now on the stream is the minder's. 0 or an errno. */
int minder_go(int link_fd, const char **envp, int is_as_called);

#endif
