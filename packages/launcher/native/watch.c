/* An inotify instance for a Node process, which cannot have one that tells of lost events. Commands come in on stdin,
   records go out on stdout; the end of stdin is the end of the program. Events are taken from the kernel at once and
   kept here while the reader is busy, so the kernel's queue stays short; what does not fit here either is dropped and
   reported as IN_Q_OVERFLOW, exactly as the kernel reports its own losses. It knows nothing of trees or of names. */
#define _GNU_SOURCE
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Twins in src/watch/watch-codec.ts. */
enum { COMMAND_ADD = 1, COMMAND_REMOVE };
enum { RECORD_ADDED = 1, RECORD_EVENT };
struct command { uint32_t type, a, mask, length; };            /* ADD: a = request, then the path; REMOVE: a = watch */
struct record { uint32_t type; int32_t watch; uint32_t mask, cookie, length; };   /* ADDED: watch or -errno, cookie = request */

enum { MAX_PATH = 64 * 1024, MAX_PENDING = 32 * 1024 * 1024, READ_SIZE = 64 * 1024 };

static uint8_t *out;
static size_t out_start, out_end, out_size;
static int lost;                                 /* records were dropped, which was not reported yet */

static int reserve(size_t more) {
  if (out_end - out_start + more > MAX_PENDING) return 0;
  if (out_end + more <= out_size) return 1;
  if (out_start > 0) {
    memmove(out, out + out_start, out_end - out_start);
    out_end -= out_start;
    out_start = 0;
    if (out_end + more <= out_size) return 1;
  }
  size_t size = out_size ? out_size : READ_SIZE;
  while (size < out_end + more) size *= 2;
  uint8_t *grown = realloc(out, size);
  if (!grown) return 0;
  out = grown;
  out_size = size;
  return 1;
}

static int put(struct record record, const void *name) {
  if (!reserve(sizeof record + record.length)) return 0;
  memcpy(out + out_end, &record, sizeof record);
  if (record.length > 0) memcpy(out + out_end + sizeof record, name, record.length);
  out_end += sizeof record + record.length;
  return 1;
}

static void put_event(const struct inotify_event *event) {
  uint32_t length = event->len > 0 ? (uint32_t)strnlen(event->name, event->len) : 0;
  struct record record = { RECORD_EVENT, event->wd, event->mask, event->cookie, length };
  if (lost || !put(record, event->name)) lost = 1;
}

/* Once half of the space is free again the loss is told, in the place where the lost records would have stood. */
static void tell_loss(void) {
  struct record overflow = { RECORD_EVENT, -1, IN_Q_OVERFLOW, 0, 0 };
  if (lost && out_end - out_start < MAX_PENDING / 2 && put(overflow, NULL)) lost = 0;
}

static int take_events(int instance) {
  static char buffer[READ_SIZE] __attribute__((aligned(8)));
  for (;;) {
    ssize_t size = read(instance, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN;
    for (char *at = buffer; at < buffer + size;) {
      const struct inotify_event *event = (const struct inotify_event *)at;
      put_event(event);
      at += sizeof *event + event->len;
    }
    if ((size_t)size < sizeof buffer / 2) return 1;
  }
}

/* An answer must not be lost: when there is no room for it the reader is so far behind that the program gives up. */
static int obey(int instance, struct command command, const char *path) {
  if (command.type == COMMAND_REMOVE) return inotify_rm_watch(instance, (int)command.a), 1;
  int watch = inotify_add_watch(instance, path, command.mask);
  struct record record = { RECORD_ADDED, watch < 0 ? -errno : watch, 0, command.a, 0 };
  return put(record, NULL);
}

static int take_commands(int instance) {
  static uint8_t in[sizeof(struct command) + MAX_PATH];
  static size_t filled;
  ssize_t size = read(STDIN_FILENO, in + filled, sizeof in - filled);
  if (size < 0) return errno == EINTR || errno == EAGAIN;
  if (size == 0) return 0;
  filled += (size_t)size;
  size_t at = 0;
  while (filled - at >= sizeof(struct command)) {
    struct command command;
    memcpy(&command, in + at, sizeof command);
    if (command.length >= MAX_PATH) return 0;
    size_t whole = sizeof command + command.length;
    if (filled - at < whole) break;
    char path[MAX_PATH];
    memcpy(path, in + at + sizeof command, command.length);
    path[command.length] = '\0';
    if (!obey(instance, command, path)) return 0;
    at += whole;
  }
  memmove(in, in + at, filled - at);
  filled -= at;
  return 1;
}

static int send_records(void) {
  while (out_start < out_end) {
    ssize_t size = write(STDOUT_FILENO, out + out_start, out_end - out_start);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN;
    out_start += (size_t)size;
  }
  out_start = out_end = 0;
  return 1;
}

int watch_main(void) {
  signal(SIGPIPE, SIG_IGN);
  int instance = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (instance < 0) return errno;
  fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
  fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
  for (;;) {
    struct pollfd polled[] = {
      { .fd = instance, .events = POLLIN },
      { .fd = STDIN_FILENO, .events = POLLIN },
      { .fd = out_start < out_end ? STDOUT_FILENO : -1, .events = POLLOUT },
    };
    if (poll(polled, 3, -1) < 0 && errno != EINTR) return errno;
    if (polled[0].revents && !take_events(instance)) return EIO;
    if (polled[1].revents && !take_commands(instance)) return 0;
    if (!send_records()) return 0;
    tell_loss();
  }
}
