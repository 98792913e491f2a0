#ifndef CODEX_ESCALATED_H
#define CODEX_ESCALATED_H

/* After `Escalate`: hands our descriptors over, passes signals on, and returns the exit code of what runs outside. `*error` is set
   when that is not known: E2BIG for too many descriptors, otherwise what went wrong with the stream. */
int escalated_wait(int stream, int socket_fd, int *error);

#endif
