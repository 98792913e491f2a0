/* Signals as far as the wrapper has to do with them: it blocks some, reads which came, and looks up what is ignored. */
#define _GNU_SOURCE
#include "system-call.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>

/* The kernel's mask, which is the beginning of the library's. */
enum { MASK = 8 };
/* What the kernel writes: the handler comes first on every processor. */
struct kernel_action { void (*handler)(int); unsigned long others[7]; };

int sigemptyset(sigset_t *set) {
  memset(set, 0, sizeof *set);
  return 0;
}

int sigaddset(sigset_t *set, int number) {
  ((uint64_t *)(void *)set)[0] |= (uint64_t)1 << (number - 1);
  return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *before) {
  return (int)syscall(SYS_rt_sigprocmask, how, set, before, MASK);
}

int signalfd(int fd, const sigset_t *set, int flags) { return (int)syscall(SYS_signalfd4, fd, set, MASK, flags); }

/* To look only: a handler would need a way back that the library knows. */
int sigaction(int number, const struct sigaction *wanted, struct sigaction *now) {
  struct kernel_action action;
  if (wanted != NULL) {
    errno = ENOSYS;
    return -1;
  }
  if (syscall(SYS_rt_sigaction, number, NULL, &action, MASK) != 0) return -1;
  *now = (struct sigaction){ .sa_handler = action.handler };
  return 0;
}
