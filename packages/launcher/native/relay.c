/* Reads a terminal and writes to a pipe. The kernel gives out a terminal's output 4 KiB at a time, and each read waits for a
   kernel thread to bring the next: Node's only thread would spend most of its time in there. Behind a pipe it reads what
   has come together, and the terminal goes on meanwhile. The bytes pass through in order; at most one read of them is
   here. */
#define _GNU_SOURCE
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SHARE = 64 * 1024 };             /* between two looks at orders and children */
enum { FULL_TERMINAL = 64 * 1024 };     /* more than a terminal holds: what comes after it is a background child's */
enum { SHORT_READ = 1024 };             /* a keystroke or a line: looking for more would only cost a failed read */
enum { PATIENCE_MS = 10 };              /* in all, for a Node that is busy; one that does not read holds back no exit */

enum progress { MOVED, MOVED_LITTLE, EMPTY, FULL, ENDED };

int make_relay(struct supervisor *s) {
  if (pipe2(&s->pipe_fds[2], O_CLOEXEC) != 0) return errno;
  s->relay_fd = s->pipe_fds[3];   /* stays ours when Node has opened its end */
  s->pipe_fds[3] = -1;
  return fcntl(s->relay_fd, F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
}

void end_relay(struct supervisor *s) {
  if (s->relay_fd >= 0) close(s->relay_fd);
  s->relay_fd = -1;
  s->relay_length = 0;
}

struct pollfd relay_event(const struct supervisor *s) {
  if (s->relay_fd >= 0 && s->relay_length > 0) return (struct pollfd){ s->relay_fd, POLLOUT, 0 };
  return (struct pollfd){ s->relay_fd >= 0 ? s->pty_fd : -1, POLLIN, 0 };
}

/* One read, unless something is left of the last one, and one write. Node and we share the master, which does not block. */
static enum progress move(struct supervisor *s, size_t *moved) {
  if (s->relay_fd < 0) return ENDED;
  if (s->relay_length == 0) {
    ssize_t got;
    do got = read(s->pty_fd, s->relay, sizeof s->relay); while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EAGAIN) return EMPTY;
    if (got <= 0) { end_relay(s); return ENDED; }   /* EIO: nobody has it open any more, and it is empty */
    s->relay_length = (size_t)got;
  }
  size_t length = s->relay_length;
  ssize_t sent;
  do sent = write(s->relay_fd, s->relay, length); while (sent < 0 && errno == EINTR);
  if (sent < 0 && errno == EAGAIN) return FULL;
  if (sent < 0) { end_relay(s); return ENDED; }   /* Node is gone */
  s->relay_length -= (size_t)sent;
  memmove(s->relay, s->relay + sent, s->relay_length);
  *moved += (size_t)sent;
  if (s->relay_length > 0) return FULL;
  return length < SHORT_READ ? MOVED_LITTLE : MOVED;
}

void relay_some(struct supervisor *s) {
  for (size_t moved = 0; moved < SHARE && move(s, &moved) == MOVED;) {}
}

static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void relay_rest(struct supervisor *s) {
  long end = 0;
  for (size_t moved = 0; moved < FULL_TERMINAL;) {
    enum progress progress = move(s, &moved);
    if (progress == EMPTY || progress == ENDED) return;
    if (progress != FULL) continue;
    if (end == 0) end = now_ms() + PATIENCE_MS;
    long left = end - now_ms();
    struct pollfd room = { s->relay_fd, POLLOUT, 0 };
    if (left <= 0 || poll(&room, 1, (int)left) <= 0) return;
  }
}
