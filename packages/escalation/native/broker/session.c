#define _GNU_SOURCE
#include "session.h"
#include "../wire/frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEADER = 4, FIRST_ROOM = 16 * 1024, MAX_MEMORY = 64 * 1024 * 1024 };

static int is_unix_stream(int fd) {
  int domain = 0, type = 0;
  socklen_t size = sizeof(int);
  if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0) return 0;
  size = sizeof(int);
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && domain == AF_UNIX && type == SOCK_STREAM;
}

struct session *session_open(int stream_fd, uint32_t id, int64_t deadline) {
  struct asker asker;
  struct session *session = is_unix_stream(stream_fd) && asker_of(stream_fd, &asker) == 0 ? calloc(1, sizeof *session) : NULL;
  if (session == NULL) {
    close(stream_fd);
    return NULL;
  }
  session->fd = stream_fd;
  session->id = id;
  session->deadline = deadline;
  session->asker = asker;
  session->minder_fd = -1;
  return session;
}

/* As bytes come, and not as the header promises: a promise costs the sender nothing. */
static int make_room(struct session *session, size_t *memory) {
  size_t filled = session->have - HEADER;
  if (filled < session->room) return 0;
  size_t room = session->room == 0 ? FIRST_ROOM : session->room * 2;
  if (room > session->length) room = session->length;
  if (*memory + room - session->room > MAX_MEMORY) return -1;
  char *grown = realloc(session->payload, room);
  if (grown == NULL) return -1;
  *memory += room - session->room;
  session->payload = grown;
  session->room = room;
  return 0;
}

static ssize_t read_some(struct session *session, void *into, size_t length) {
  size_t strays = 0;   /* descriptors have no business in a request */
  ssize_t got = receive_block(session->fd, into, length, MSG_DONTWAIT, NULL, &strays);
  if (got > 0) session->have += (size_t)got;
  return got;
}

enum session_step session_read(struct session *session, size_t *memory) {
  for (;;) {
    ssize_t got;
    if (session->have < HEADER) {
      got = read_some(session, session->header + session->have, HEADER - session->have);
      if (session->have == HEADER) {
        const uint8_t *h = session->header;
        session->length = (uint32_t)h[0] | (uint32_t)h[1] << 8 | (uint32_t)h[2] << 16 | (uint32_t)h[3] << 24;
        if (session->length == 0) return SESSION_MALFORMED;
        if (session->length > MAX_FRAME) return SESSION_TOO_LARGE;
      }
    } else {
      if (make_room(session, memory) != 0) return SESSION_NO_MEMORY;
      got = read_some(session, session->payload + (session->have - HEADER), session->room - (session->have - HEADER));
      if (session->have - HEADER == session->length)
        return exec_message_parse(session->payload, session->length, &session->message) == 0 ? SESSION_WHOLE : SESSION_MALFORMED;
    }
    if (got == 0) return SESSION_GONE;
    if (got < 0) return errno == EAGAIN ? SESSION_MORE : SESSION_GONE;
  }
}

int session_is_void(struct session *session) {
  char byte;
  ssize_t got = recv(session->fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK);
  return got >= 0 || errno != EAGAIN;
}

void session_free(struct session *session, size_t *memory) {
  close(session->fd);
  if (session->minder_fd >= 0) close(session->minder_fd);
  asker_close(&session->asker);
  exec_message_free(&session->message);
  program_free(session->program);
  *memory -= session->room;
  free(session->payload);
  free(session);
}

int session_answer(const struct session *session, const char *json) {
  uint32_t length = (uint32_t)strlen(json);
  struct iovec parts[2] = { { &length, sizeof length }, { (void *)(uintptr_t)json, length } };
  const struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
  ssize_t sent = sendmsg(session->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent == (ssize_t)(length + sizeof length) ? 0 : -1;
}
