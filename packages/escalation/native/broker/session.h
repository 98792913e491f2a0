/* One stream of the sandboxed side: from its announcement to the decision on the one request that it may make. */
#ifndef CODEX_SESSION_H
#define CODEX_SESSION_H

#include "asker.h"
#include "program.h"
#include "../wire/messages.h"

#include <stdint.h>

struct session {
  int fd;
  uint32_t id;
  int is_waiting;             /* the request is whole; Node decides */
  int64_t deadline;           /* for the request to be whole */
  struct asker asker;
  uint8_t header[4];
  size_t have;                /* header included */
  uint32_t length;            /* of the payload */
  char *payload;
  size_t room;
  struct exec_message message;
  struct program *program;
  int minder_fd;              /* the link to the minder that waits for the decision; -1 when there is none */
  pid_t minder;
};

enum session_step { SESSION_MORE, SESSION_WHOLE, SESSION_GONE, SESSION_TOO_LARGE, SESSION_NO_MEMORY, SESSION_MALFORMED };

/* NULL when the stream is none that we take; it is closed then. */
struct session *session_open(int stream_fd, uint32_t id, int64_t deadline);
/* Reads what is there. `*memory` counts what all sessions hold; SESSION_NO_MEMORY when they may not hold more. */
enum session_step session_read(struct session *session, size_t *memory);
/* 1 when the other end has hung up, or has sent more than its one request. */
int session_is_void(struct session *session);
void session_free(struct session *session, size_t *memory);

/* An answer of the wire. The stream takes it at once or is given up: a peer that does not read must not hold us up. */
int session_answer(const struct session *session, const char *json);

#endif
