/* Reads a terminal and writes to a pipe. The kernel gives out a terminal's output 4 KiB at a time, and each read waits for a
   kernel thread to bring the next: Node's only thread would spend most of its time in there. Behind a pipe it reads what
   has come together, and the terminal goes on meanwhile. The bytes pass through in order. Nothing is read before the pipe
   has room for it, so that no output is lost when we are killed, but for what is in hand between read and write. */
#define _GNU_SOURCE
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { SHARE = 64 * 1024 };           /* between two looks at orders and children; more where it comes within */
enum { SHARE_NS = 2000000 };          /* so long, or what is typed and ordered would wait */
enum { FULL_TERMINAL = 64 * 1024 };   /* more than a terminal holds: what comes after it is a background child's */
enum { SHORT_READ = 1024 };           /* a keystroke or a line: looking for more would only cost a failed read */
enum { ONE_READ = 4096 };             /* as much as a terminal gives at once */

enum progress { MOVED, MOVED_LITTLE, EMPTY, FULL, ENDED };

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

int relay_open(struct relay *relay, int pty_fd, int wide, int *read_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  if (wide > 0) (void)fcntl(ends[1], F_SETPIPE_SZ, wide);   /* refused where the user has too much in pipes already */
  int holds = fcntl(ends[1], F_GETPIPE_SZ);
  relay->most = holds > ONE_READ ? (size_t)holds : ONE_READ;
  if (relay->most > sizeof relay->bytes) relay->most = sizeof relay->bytes;
  relay->wanted = least(SHARE, relay->most);
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

/* Room for PIPE_BUF at least; or the reader is gone, which the write will tell. So it does where poll is refused (see
   wait_without_descriptors in supervisor.c). */
static int has_room(const struct relay *relay) {
  struct pollfd room = { relay->fd, POLLOUT, 0 };
  return poll(&room, 1, 0) != 0;
}

/* Node has read all: it takes as much as comes together, and is woken once for it. */
static int is_pipe_empty(const struct relay *relay) {
  int waiting = 1;
  return ioctl(relay->fd, FIONREAD, &waiting) == 0 && waiting == 0;
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* One read; in a flow, as many as the empty pipe has room for and time allows. What is in hand dies with us, so it is not much
   before Node is seen to keep up with a flow. Returns what the last read did. */
static ssize_t take_output(struct relay *relay) {
  int is_empty = is_pipe_empty(relay);
  size_t wanted = is_empty ? relay->wanted : ONE_READ;
  int64_t until = now_ns() + SHARE_NS;
  for (;;) {
    ssize_t got = read(relay->pty_fd, relay->bytes + relay->length, ONE_READ);
    if (got < 0 && errno == EINTR) continue;
    if (got > 0) relay->length += (size_t)got;
    if (got < SHORT_READ) {
      relay->wanted = least(SHARE, relay->most);
      return got;
    }
    if (relay->length + ONE_READ > wanted) {
      if (is_empty) relay->wanted = least(2 * wanted, relay->most);
      return got;
    }
    if (relay->length >= SHARE && now_ns() >= until) return got;
  }
}

/* What one turn reads and one write. */
static enum progress move(struct relay *relay, size_t *moved) {
  if (relay->fd < 0) return ENDED;
  if (!has_room(relay)) return FULL;
  if (relay->length == 0) {
    ssize_t got = take_output(relay);
    if (relay->length == 0 && got < 0 && errno == EAGAIN) return EMPTY;
    if (relay->length == 0) { relay_end(relay); return ENDED; }   /* EIO: no process has it open any more, and it is empty */
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

int keys_open(struct keys *keys, int *write_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  keys->fd = ends[0];
  *write_end = ends[1];
  return fcntl(keys->fd, F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
}

void keys_end(struct keys *keys) {
  if (keys->fd >= 0) close(keys->fd);
  keys->fd = -1;
  keys->length = 0;
}

struct pollfd keys_event(const struct keys *keys, int pty_fd) {
  if (keys->length > 0) return (struct pollfd){ pty_fd, POLLOUT, 0 };
  return (struct pollfd){ pty_fd >= 0 ? keys->fd : -1, POLLIN, 0 };
}

void keys_pass(struct keys *keys, int pty_fd) {
  if (keys->fd < 0) return;
  if (keys->length == 0) {
    ssize_t got = read(keys->fd, keys->bytes, sizeof keys->bytes);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) { keys_end(keys); return; }   /* Node types no more */
    keys->length = (size_t)got;
  }
  ssize_t sent = write(pty_fd, keys->bytes, keys->length);
  if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (sent < 0) { keys_end(keys); return; }   /* it has no reader any more */
  keys->length -= (size_t)sent;
  memmove(keys->bytes, keys->bytes + sent, keys->length);
}
