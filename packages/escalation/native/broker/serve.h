#ifndef CODEX_SERVE_H
#define CODEX_SERVE_H

#include "server-link.h"

/* Answers until no process can ask any more, or the server has gone or orders the end; ends what runs outside, then the process. */
_Noreturn void serve(const struct config *config, int server_fd, int shells_fd);

#endif
