/* Reads a terminal and writes to a pipe. The kernel gives out a terminal's output 4 KiB at a time, and each read waits for a
   kernel thread to bring the next: Node's only thread would spend most of its time in there. Behind a pipe it reads what
   has come together, and the terminal goes on meanwhile. The bytes pass through in order. Nothing is read before the pipe
   has room for it, so that whoever kills us takes no output along, but for the moment between the two calls. */
#define _GNU_SOURCE
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { SHARE = 64 * 1024 };           /* between two looks at orders and children */
enum { FULL_TERMINAL = 64 * 1024 };   /* more than a terminal holds: what comes after it is a background child's */
enum { SHORT_READ = 1024 };           /* a keystroke or a line: looking for more would only cost a failed read */

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
  if (s->relay_fd >= 0 && s->relay_full) return (struct pollfd){ s->relay_fd, POLLOUT, 0 };
  return (struct pollfd){ s->relay_fd >= 0 ? s->pty_fd : -1, POLLIN, 0 };
}

/* Room for PIPE_BUF, which is what we read at most; or nobody reads any more, which the write will tell. */
static int has_room(const struct supervisor *s) {
  struct pollfd room = { s->relay_fd, POLLOUT, 0 };
  return poll(&room, 1, 0) > 0;
}

/* One read and one write. Node and we share the master, which does not block. */
static enum progress move(struct supervisor *s, size_t *moved) {
  if (s->relay_fd < 0) return ENDED;
  if (!has_room(s)) return FULL;
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
  /* Somebody who has opened the pipe through /proc was quicker, or the kernel has no page to spare. */
  if (sent < 0 && (errno == EAGAIN || errno == ENOMEM)) return FULL;
  if (sent < 0) { end_relay(s); return ENDED; }   /* Node is gone */
  s->relay_length -= (size_t)sent;
  memmove(s->relay, s->relay + sent, s->relay_length);
  *moved += (size_t)sent;
  return length < SHORT_READ ? MOVED_LITTLE : MOVED;
}

/* As long as an exit waits to be confirmed, a short read is followed by another: only an empty terminal is an answer. */
static enum progress step(struct supervisor *s, size_t *moved) {
  size_t before = *moved;
  enum progress progress = move(s, moved);
  s->relay_full = progress == FULL;
  if (s->relay_owed == 0) return progress;
  size_t passed = *moved - before;
  s->relay_owed = progress == EMPTY || progress == ENDED || passed >= s->relay_owed ? 0 : s->relay_owed - passed;
  return progress == MOVED_LITTLE ? MOVED : progress;
}

void relay_some(struct supervisor *s) {
  size_t owed = s->relay_owed;
  for (size_t moved = 0; moved < SHARE && step(s, &moved) == MOVED;) {}
  if (owed > 0 && s->relay_owed == 0) report(s, (struct status){ STATUS_RELAYED, 0, 0, 0, 0 });
}

int relay_rest(struct supervisor *s) {
  s->relay_owed = FULL_TERMINAL;
  for (size_t moved = 0; s->relay_owed > 0 && step(s, &moved) == MOVED;) {}
  return s->relay_owed > 0;
}
