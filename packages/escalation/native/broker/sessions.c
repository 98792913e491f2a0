#define _GNU_SOURCE
#include "state.h"
#include "../wire/frame.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void drop_session(struct broker *broker, struct session *session) {
  size_t kept = 0;
  for (size_t i = 0; i < broker->session_count; i++)
    if (broker->sessions[i] != session) broker->sessions[kept++] = broker->sessions[i];
  broker->session_count = kept;
  session_free(session, &broker->memory);
}

/* The oldest that has not made its request: silent ones never keep others out. NULL when all wait for an answer. */
static struct session *oldest_silent(struct broker *broker) {
  for (size_t i = 0; i < broker->session_count; i++)
    if (!broker->sessions[i]->is_waiting) return broker->sessions[i];
  return NULL;
}

static int has_room(struct broker *broker) {
  if (broker->session_count + broker->minded_count < broker->config->max_sessions) return 1;
  struct session *silent = oldest_silent(broker);
  if (silent == NULL) return 0;   /* the next ones wait in the socket */
  drop_session(broker, silent);
  tell_refused(broker, REFUSED_TOO_MANY);
  return 1;
}

/* One announcement: one descriptor with it, of whatever bytes. */
static int receive_stream(struct broker *broker, int *fd) {
  char bytes[8192];
  int fds[MAX_FDS];
  size_t count = 0;
  ssize_t got = receive_block(broker->shells_fd, bytes, sizeof bytes, MSG_DONTWAIT, fds, &count);
  if (got < 0 && errno == EAGAIN) return 0;
  if (got <= 0) {
    close(broker->shells_fd);
    broker->shells_fd = -1;
    return 0;
  }
  *fd = -1;
  if (count == 1) *fd = fds[0];
  else for (size_t i = 0; i < count && i < MAX_FDS; i++) close(fds[i]);
  return 1;
}

void accept_sessions(struct broker *broker) {
  int fd;
  /* Some at a time, so that a flood of them leaves room for answers. */
  for (int turns = 0; turns < 64 && broker->shells_fd >= 0 && has_room(broker) && receive_stream(broker, &fd); turns++) {
    struct session *session = fd < 0 ? NULL : session_open(fd, ++broker->last_id, now_ms() + broker->config->first_frame_ms);
    if (session == NULL) { tell_refused(broker, fd < 0 ? REFUSED_MALFORMED : REFUSED_STRANGER); continue; }
    broker->sessions[broker->session_count++] = session;
    look_at_session(broker, session);   /* the request is mostly there already */
  }
}

void look_at_session(struct broker *broker, struct session *session) {
  if (session->is_waiting) {
    if (!session_is_void(session)) return;
    tell_abandoned(broker, session->id);
    drop_session(broker, session);
    return;
  }
  enum session_step step;
  /* Those who came first and are still not done make room; who asks and is the oldest itself goes. */
  while ((step = session_read(session, &broker->memory)) == SESSION_NO_MEMORY) {
    struct session *oldest = oldest_silent(broker);
    tell_refused(broker, REFUSED_TOO_LARGE);
    drop_session(broker, oldest);
    if (oldest == session) return;
  }
  switch (step) {
    case SESSION_MORE: case SESSION_NO_MEMORY: return;
    case SESSION_WHOLE: take_request(broker, session); return;
    case SESSION_TOO_LARGE: tell_refused(broker, REFUSED_TOO_LARGE); break;
    case SESSION_MALFORMED: tell_refused(broker, REFUSED_MALFORMED); break;
    case SESSION_GONE: break;
  }
  drop_session(broker, session);
}

int drop_late_sessions(struct broker *broker) {
  int64_t now = now_ms();
  for (size_t i = 0; i < broker->session_count;) {
    struct session *session = broker->sessions[i];
    if (session->is_waiting) { i++; continue; }
    if (session->deadline > now) return (int)(session->deadline - now);   /* oldest first: the others have longer */
    drop_session(broker, session);
    tell_refused(broker, REFUSED_TOO_SLOW);
  }
  return -1;
}
