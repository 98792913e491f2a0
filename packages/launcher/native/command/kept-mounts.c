/* The kernel tells a reader of /proc/<pid>/mountinfo when mounts come or go, which is what a removed or replaced mount point looks
   like. A moved one is not told: it is found when we look for another reason, and Node gives one each second (ORDER_WAKE). A sandboxed
   command can neither mount nor unmount; mounts of the host that come and go there as well cost a look. */
#define _GNU_SOURCE
#include "kept-mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOUNT_POINT_FIELD = 5 };   /* see proc(5); fields are counted from 1 */

static void close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

void kept_clear(struct kept_mounts *kept) {
  memset(kept, 0, sizeof *kept);
  kept->settled_fd = kept->table_fd = kept->first_fd = -1;
}

void kept_close(struct kept_mounts *kept) {
  close_fd(&kept->settled_fd);
  close_fd(&kept->table_fd);
  close_fd(&kept->first_fd);
  free(kept->text);
  free(kept->paths);
  free(kept->seen);
  kept_clear(kept);
}

static int by_text(const void *left, const void *right) { return strcmp(*(const char *const *)left, *(const char *const *)right); }

int kept_take(struct kept_mounts *kept, const void *list, size_t length) {
  if (length == 0 || kept->text != NULL) return 0;
  const char *bytes = list;
  if (bytes[length - 1] != '\0') return EINVAL;
  size_t count = 0;
  for (size_t i = 0; i < length; i++) count += bytes[i] == '\0';
  kept->text = malloc(length);
  kept->paths = calloc(count, sizeof *kept->paths);
  kept->seen = calloc(count, 1);
  if (kept->text == NULL || kept->paths == NULL || kept->seen == NULL) return ENOMEM;
  memcpy(kept->text, bytes, length);
  for (const char *at = kept->text; kept->count < count; at += strlen(at) + 1) kept->paths[kept->count++] = at;
  qsort(kept->paths, count, sizeof *kept->paths, by_text);
  return 0;
}

struct pollfd kept_event(const struct kept_mounts *kept) {
  if (kept->table_fd >= 0) return (struct pollfd){ kept->table_fd, POLLPRI, 0 };
  return (struct pollfd){ kept->settled_fd, 0, 0 };   /* an error is told without being asked for */
}

int kept_is_due(const struct kept_mounts *kept) {
  struct pollfd polled = kept_event(kept);
  return polled.fd >= 0 && poll(&polled, 1, 0) > 0;
}

/* The start of a file in /proc. 0 or -1. */
static int read_start(const char *path, char *text, size_t size) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t length = read(fd, text, size - 1);
  close(fd);
  if (length < 0) return -1;
  text[length] = '\0';
  return 0;
}

/* Whether the last of its numbers, the one in its own namespace, is 1. */
static int is_first_of_namespace(pid_t pid) {
  char path[32], text[2048];
  snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
  if (read_start(path, text, sizeof text) != 0) return 0;
  char *numbers = strstr(text, "\nNSpid:");
  if (numbers == NULL) return 0;
  numbers[1 + strcspn(numbers + 1, "\n")] = '\0';
  return strcmp(strrchr(numbers, '\t'), "\t1") == 0;
}

/* The first child of `wrapper` that is `wanted`, or, where that is 0, the first of a namespace: the first process of the sandbox is a child of its
   wrapper, which may have others (the broker of an escalation comes from there). 0 when there is none. */
static pid_t child_of(pid_t wrapper, pid_t wanted) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)wrapper, (int)wrapper);
  if (wrapper <= 0 || read_start(path, text, sizeof text) != 0) return 0;
  char *end;
  for (char *at = text;; at = end) {
    pid_t pid = (pid_t)strtol(at, &end, 10);
    if (end == at) return 0;
    if (wanted > 0 ? pid == wanted : is_first_of_namespace(pid)) return pid;
  }
}

/* Where descriptors are short for a moment it is tried again at the next look. A sandbox that has ended already has no child of its
   wrapper any more; asked again afterwards, because the number could be that of another process by then. */
static void open_table(struct kept_mounts *kept, pid_t wrapper) {
  pid_t first = child_of(wrapper, 0);
  if (first == 0) return;
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/mountinfo", (int)first);
  kept->table_fd = open(path, O_RDONLY | O_CLOEXEC);
  if (kept->table_fd < 0) return;
  kept->first_fd = (int)syscall(SYS_pidfd_open, first, 0);
  if (child_of(wrapper, first) == first) return;
  close_fd(&kept->table_fd);
  close_fd(&kept->first_fd);
}

static int is_octal(char c) { return c >= '0' && c <= '7'; }

/* Blanks and backslashes are written as three octal digits. In place, up to the end of the field. */
static void unescape(char *field) {
  char *to = field;
  for (const char *at = field; *at != '\0' && *at != ' ';) {
    if (at[0] == '\\' && is_octal(at[1]) && is_octal(at[2]) && is_octal(at[3])) {
      *to++ = (char)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0'));
      at += 4;
    } else {
      *to++ = *at++;
    }
  }
  *to = '\0';
}

static void note_line(struct kept_mounts *kept, char *line) {
  for (int field = 1; field < MOUNT_POINT_FIELD; field++) {
    if ((line = strchr(line, ' ')) == NULL) return;
    line++;
  }
  unescape(line);
  const char *point = line;
  const char **found = bsearch(&point, kept->paths, kept->count, sizeof *kept->paths, by_text);
  if (found != NULL) kept->seen[found - kept->paths] = 1;
}

/* 0, or an errno: nothing is known then. */
static int read_table(struct kept_mounts *kept) {
  static char block[128 * 1024];   /* a line has two paths and the options of a file system, each at most a page, some of it escaped */
  if (lseek(kept->table_fd, 0, SEEK_SET) < 0) return errno;
  memset(kept->seen, 0, kept->count);
  for (size_t have = 0;;) {
    ssize_t got = read(kept->table_fd, block + have, sizeof block - 1 - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return have == sizeof block - 1 ? EOVERFLOW : 0;
    have += (size_t)got;
    block[have] = '\0';
    char *line = block, *end;
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
      *end = '\0';
      note_line(kept, line);
    }
    have -= (size_t)(line - block);
    memmove(block, line, have);
  }
}

const char *kept_look(struct kept_mounts *kept, pid_t wrapper) {
  if (kept->settled_fd >= 0) {
    if (!kept_is_due(kept)) return NULL;
    close_fd(&kept->settled_fd);
    kept->is_due = 1;
  }
  if (kept->is_due && kept->count > 0) {
    open_table(kept, wrapper);
    kept->is_due = kept->table_fd < 0;
  }
  if (kept->table_fd < 0 || read_table(kept) != 0) return NULL;
  for (size_t i = 0; i < kept->count; i++)
    if (!kept->seen[i]) return kept->paths[i];
  return NULL;
}

int kept_has_first(pid_t wrapper) { return child_of(wrapper, 0) > 0; }

void kept_kill_first(const struct kept_mounts *kept, pid_t wrapper) {
  if (kept->first_fd >= 0) {
    syscall(SYS_pidfd_send_signal, kept->first_fd, SIGKILL, NULL, 0);
    return;
  }
  pid_t first = child_of(wrapper, 0);
  if (first > 0) kill(first, SIGKILL);
}
