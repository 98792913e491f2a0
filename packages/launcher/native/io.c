#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Pipes that come from the nursery do not block: others can have opened them through /proc, take an order between our look
   and our reading, or fill the statuses. Whatever there is to wait for, the end of the server is seen. */
int wait_beside(int fd, short events, int lifeline_fd) {
  struct pollfd polled[2] = { { fd, events, 0 }, { lifeline_fd, 0, 0 } };
  while (poll(polled, 2, -1) < 0)
    if (errno != EINTR) return -1;
  return polled[1].revents != 0 ? -1 : 0;
}

int read_fully(int fd, int lifeline_fd, void *into, size_t length) {
  for (char *at = into; length > 0;) {
    ssize_t got = read(fd, at, length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN && wait_beside(fd, POLLIN, lifeline_fd) == 0) continue;
    if (got <= 0) return -1;
    at += got;
    length -= (size_t)got;
  }
  return 0;
}

void close_from(unsigned first) {
  if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
  for (int fd = (int)first; fd < sysconf(_SC_OPEN_MAX) && fd < 65536; fd++) close(fd);   /* Linux before 5.9 */
}

static int by_number(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }

void close_all_but(int *kept, size_t count) {
  qsort(kept, count, sizeof *kept, by_number);
  unsigned from = 3;
  for (size_t i = 0; i < count; i++) {
    if (kept[i] < 3) continue;
    if ((unsigned)kept[i] > from) syscall(SYS_close_range, from, (unsigned)kept[i] - 1, 0);
    from = (unsigned)kept[i] + 1;
  }
  close_from(from);
}

void wake_on_input(int fd) {
  fcntl(fd, F_SETOWN, getpid());
  fcntl(fd, F_SETSIG, SIGCONT);
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
}
