#define _GNU_SOURCE
#include "asker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

/* The kernel's own handle of the peer where it gives one (6.5); otherwise by number, which is right as long as the peer lives. */
static int open_pidfd(int stream_fd, pid_t pid) {
  int fd;
  socklen_t size = sizeof fd;
  if (getsockopt(stream_fd, SOL_SOCKET, SO_PEERPIDFD, &fd, &size) == 0) return fd;
  return (int)syscall(SYS_pidfd_open, pid, 0);
}

int asker_of(int stream_fd, struct asker *out) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(stream_fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid <= 0 || peer.uid != geteuid()) return -1;
  *out = (struct asker){ peer.pid, open_pidfd(stream_fd, peer.pid) };
  return 0;
}

void asker_close(struct asker *asker) {
  if (asker->pidfd >= 0) close(asker->pidfd);
  asker->pidfd = -1;
}

int asker_lives(const struct asker *asker) {
  if (asker->pidfd < 0) return kill(asker->pid, 0) == 0 || errno == EPERM;
  struct pollfd polled = { asker->pidfd, POLLIN, 0 };
  return poll(&polled, 1, 0) == 0;
}

int asker_folder(const struct asker *asker, const char *which) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)asker->pid, which);
  return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static const char *after(const char *text, const char *label) {
  const char *found = strstr(text, label);
  return found == NULL ? NULL : found + strlen(label);
}

int asker_traits(const struct asker *asker, struct asker_traits *out) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/%d/status", (int)asker->pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return ESRCH;
  text[length] = '\0';
  const char *umask_text = after(text, "\nUmask:\t"), *ignored_text = after(text, "\nSigIgn:\t");
  if (umask_text == NULL || ignored_text == NULL) return ENODATA;
  out->umask = (mode_t)strtoul(umask_text, NULL, 8) & 0777;
  out->ignored_signals = strtoull(ignored_text, NULL, 16);
  out->is_limit_same = 0;
  for (int i = 0; i < ASKER_LIMITS; i++)
    if (prlimit(asker->pid, i, NULL, &out->limits[i]) != 0) return errno;
  return asker_lives(asker) ? 0 : ESRCH;
}
