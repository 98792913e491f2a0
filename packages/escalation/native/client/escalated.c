#define _GNU_SOURCE
#include "escalated.h"
#include "number.h"
#include "../wire/frame.h"
#include "../wire/messages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdalign.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_REPLY = 4096, PROBED_FDS = 1024 };

static void consider(struct descriptors *list, int fd) {
  int flags = fcntl(fd, F_GETFD);
  if (flags < 0 || (flags & FD_CLOEXEC)) return;   /* closed, or not for the program */
  if (list->count == MAX_FDS) list->has_more = 1;
  else list->fds[list->count++] = fd;
}

/* Without a /proc they are tried. */
void descriptors_list(struct descriptors *list, int socket_fd) {
  alignas(struct dirent64) char entries[2048];
  *list = (struct descriptors){ .count = 0 };
  int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    for (int fd = 0; fd < PROBED_FDS; fd++)
      if (fd != socket_fd) consider(list, fd);
    return;
  }
  long length;
  while ((length = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
    const struct dirent64 *entry;
    for (long at = 0; at < length; at += entry->d_reclen) {
      entry = (const struct dirent64 *)(entries + at);
      int fd = number_of(entry->d_name);
      if (fd >= 0 && fd != socket_fd) consider(list, fd);
    }
  }
  close(folder);
}

static int hand_over(int stream, const struct descriptors *list) {
  struct text text = { 0 };
  text_add_string(&text, "{\"fds\":[");
  for (size_t i = 0; i < list->count; i++) {
    if (i > 0) text_add_string(&text, ",");
    text_add_number(&text, (unsigned)list->fds[i]);
  }
  text_add_string(&text, "]}");
  int error = text.has_failed ? ENOMEM : frame_send(stream, text.bytes, text.length, list->fds, list->count);
  text_free(&text);
  return error;
}

/* A descriptor that tells of the signals that are passed on, or -1: then they end us, and with us what runs outside. They stay blocked:
   whoever waits ends afterwards. */
static int watch_signals(void) {
  static const int passed_on[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };
  sigset_t watched;
  sigemptyset(&watched);
  for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) sigaddset(&watched, passed_on[i]);
  int signals = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals >= 0) sigprocmask(SIG_BLOCK, &watched, NULL);
  return signals;
}

/* What the shell ignores stays ignored. */
static int is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void pass_signals_on(int signals, int stream) {
  struct signalfd_siginfo came;
  while (read(signals, &came, sizeof came) == (ssize_t)sizeof came) {
    if (is_ignored((int)came.ssi_signo)) continue;
    struct text text = { 0 };
    text_add_string(&text, "{\"signal\":");
    text_add_number(&text, came.ssi_signo);
    text_add_string(&text, "}");
    if (!text.has_failed) frame_send(stream, text.bytes, text.length, NULL, 0);
    text_free(&text);
  }
}

int escalated_wait(int stream, const struct descriptors *list, int *error) {
  if (list->has_more) { *error = E2BIG; return 0; }
  int signals = watch_signals();
  if ((*error = hand_over(stream, list)) != 0) return 0;
  struct pollfd polled[2] = { { stream, POLLIN, 0 }, { signals, POLLIN, 0 } };
  while (poll(polled, 2, -1) < 0 || polled[0].revents == 0) pass_signals_on(signals, stream);
  size_t length;
  long code = 0;
  char *reply = frame_receive(stream, MAX_REPLY, &length);
  if (reply == NULL) *error = errno;
  else *error = number_message_parse(reply, length, "exit_code", &code);
  free(reply);
  return (int)(code & 0xff);
}
