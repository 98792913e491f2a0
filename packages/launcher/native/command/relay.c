/* Reads a terminal and writes to a pipe. The kernel gives out a terminal's output 4 KiB at a time, and each read waits for a
   kernel thread to bring the next: Node's only thread would spend most of its time in there. Behind a pipe it reads what
   has come together, and the terminal goes on meanwhile. The bytes pass through in order. Nothing is read before the pipe
   has room for it, so that no output is lost when we are killed, but for the moment between the two calls. */
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

int relay_open(struct relay *relay, int pty_fd, int *read_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  *read_end = ends[0];
  relay->fd = ends[1];   /* stays ours when Node has opened its end */
  relay->pty_fd = pty_fd;
  return fcntl(relay->fd, F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
}

void relay_end(struct relay *relay) {
  if (relay->fd >= 0) close(relay->fd);
  relay->fd = -1;
  relay->length = 0;
}

struct pollfd relay_event(const struct relay *relay) {
  if (relay->fd >= 0 && relay->is_full) return (struct pollfd){ relay->fd, POLLOUT, 0 };
  return (struct pollfd){ relay->fd >= 0 ? relay->pty_fd : -1, POLLIN, 0 };
}

/* Room for PIPE_BUF, which is what we read at most; or the reader is gone, which the write will tell. */
static int has_room(const struct relay *relay) {
  struct pollfd room = { relay->fd, POLLOUT, 0 };
  return poll(&room, 1, 0) > 0;
}

/* One read and one write. Node and we share the master, which does not block. */
static enum progress move(struct relay *relay, size_t *moved) {
  if (relay->fd < 0) return ENDED;
  if (!has_room(relay)) return FULL;
  if (relay->length == 0) {
    ssize_t got;
    do got = read(relay->pty_fd, relay->bytes, sizeof relay->bytes); while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EAGAIN) return EMPTY;
    if (got <= 0) { relay_end(relay); return ENDED; }   /* EIO: no process has it open any more, and it is empty */
    relay->length = (size_t)got;
  }
  size_t length = relay->length;
  ssize_t sent;
  do sent = write(relay->fd, relay->bytes, length); while (sent < 0 && errno == EINTR);
  /* A process that has opened the pipe through /proc was quicker, or the kernel has no page to spare. */
  if (sent < 0 && (errno == EAGAIN || errno == ENOMEM)) return FULL;
  if (sent < 0) { relay_end(relay); return ENDED; }   /* Node is gone */
  relay->length -= (size_t)sent;
  memmove(relay->bytes, relay->bytes + sent, relay->length);
  *moved += (size_t)sent;
  return length < SHORT_READ ? MOVED_LITTLE : MOVED;
}

/* As long as an exit waits to be confirmed, a short read is followed by another: only an empty terminal is an answer. */
static enum progress step(struct relay *relay, size_t *moved) {
  size_t before = *moved;
  enum progress progress = move(relay, moved);
  relay->is_full = progress == FULL;
  if (relay->owed == 0) return progress;
  size_t passed = *moved - before;
  relay->owed = progress == EMPTY || progress == ENDED || passed >= relay->owed ? 0 : relay->owed - passed;
  return progress == MOVED_LITTLE ? MOVED : progress;
}

int relay_some(struct relay *relay) {
  size_t owed = relay->owed;
  for (size_t moved = 0; moved < SHARE && step(relay, &moved) == MOVED;) {}
  return owed > 0 && relay->owed == 0;
}

int relay_rest(struct relay *relay) {
  relay->owed = FULL_TERMINAL;
  for (size_t moved = 0; relay->owed > 0 && step(relay, &moved) == MOVED;) {}
  return relay->owed > 0;
}
