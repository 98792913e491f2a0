/* A terminal's output on its way to Node. */
#ifndef CODEX_RELAY_H
#define CODEX_RELAY_H

#include <poll.h>

#include "supervisor.h"

/* 0, or an errno. Node opens the other end of the pipe as it does with a command's own. */
int make_relay(struct supervisor *s);

/* What to wait for before relay_some() has something to do. */
struct pollfd relay_event(const struct supervisor *s);

/* Passes on what is there, up to a share that keeps orders from waiting. */
void relay_some(struct supervisor *s);

/* The command has ended: passes on what it wrote. 1 when the pipe is full before that is done; then STATUS_RELAYED follows. */
int relay_rest(struct supervisor *s);

void end_relay(struct supervisor *s);

#endif
