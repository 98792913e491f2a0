#define _GNU_SOURCE
#include "escalated.h"
#include "../wire/frame.h"
#include "../wire/messages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
  *list = (struct descriptors){ .count = 0 };
  DIR *folder = opendir("/proc/self/fd");
  struct dirent *entry;
  if (folder == NULL) {
    for (int fd = 0; fd < PROBED_FDS; fd++)
      if (fd != socket_fd) consider(list, fd);
    return;
  }
  while ((entry = readdir(folder)) != NULL) {
    int fd = atoi(entry->d_name);
    if (entry->d_name[0] != '.' && fd != socket_fd) consider(list, fd);
  }
  closedir(folder);
}

static int hand_over(int stream, const struct descriptors *list) {
  struct text text = { 0 };
  text_add_string(&text, "{\"fds\":[");
  for (size_t i = 0; i < list->count; i++) {
    char number[16];
    snprintf(number, sizeof number, "%s%d", i == 0 ? "" : ",", list->fds[i]);
    text_add_string(&text, number);
  }
  text_add_string(&text, "]}");
  int error = text.has_failed ? ENOMEM : frame_send(stream, text.bytes, text.length, list->fds, list->count);
  text_free(&text);
  return error;
}

static const int passed_on[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };
static volatile sig_atomic_t came[PASSED_ON];

static void remember(int number) {
  for (int i = 0; i < PASSED_ON; i++)
    if (passed_on[i] == number) came[i] = 1;
}

/* Blocked except while we wait, so that none comes between a look and a wait. What the shell ignores stays ignored. */
static void catch_signals(sigset_t *before) {
  sigset_t blocked;
  sigemptyset(&blocked);
  for (int i = 0; i < PASSED_ON; i++) sigaddset(&blocked, passed_on[i]);
  sigprocmask(SIG_BLOCK, &blocked, before);
  for (int i = 0; i < PASSED_ON; i++) {
    struct sigaction now, catching = { .sa_handler = remember };
    if (sigaction(passed_on[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) sigaction(passed_on[i], &catching, NULL);
  }
}

static void pass_signals_on(int stream) {
  for (int i = 0; i < PASSED_ON; i++) {
    if (!came[i]) continue;
    came[i] = 0;
    char message[32];
    int length = snprintf(message, sizeof message, "{\"signal\":%d}", passed_on[i]);
    frame_send(stream, message, (size_t)length, NULL, 0);
  }
}

int escalated_wait(int stream, const struct descriptors *list, int *error) {
  if (list->has_more) { *error = E2BIG; return 0; }
  sigset_t before;
  catch_signals(&before);
  if ((*error = hand_over(stream, list)) != 0) return 0;
  for (;;) {
    struct pollfd polled = { stream, POLLIN, 0 };
    if (ppoll(&polled, 1, NULL, &before) > 0) break;
    pass_signals_on(stream);
  }
  size_t length;
  long code = 0;
  char *reply = frame_receive(stream, MAX_REPLY, &length);
  if (reply == NULL) *error = errno;
  else *error = number_message_parse(reply, length, "exit_code", &code);
  free(reply);
  return (int)(code & 0xff);
}
