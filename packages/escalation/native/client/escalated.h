#ifndef CODEX_ESCALATED_H
#define CODEX_ESCALATED_H

#include "../names.h"

#include <stddef.h>

struct descriptors { int fds[MAX_FDS]; size_t count; int has_more; };

/* What the program would find open: all but those that close on exec, and the inherited socket. */
void descriptors_list(struct descriptors *list, int socket_fd);

/* After `Escalate`: hands these descriptors over, passes signals on, and returns the exit code of what runs outside. `*error` is set
   when that is not known: E2BIG for too many descriptors, otherwise what went wrong with the stream. */
int escalated_wait(int stream, const struct descriptors *list, int *error);

#endif
