/* The system calls of the wrapper, with errno, as the C library declares them. */
#define _GNU_SOURCE
#include "system-call.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const size_t MASK = 8;   /* bytes of a signal mask in the kernel; the library's has more */

static int last_error;
int *__errno_location(void) { return &last_error; }

static long outcome(long result) {
  if (result >= 0 || result < -4095) return result;
  last_error = (int)-result;
  return -1;
}

/* A number and up to six arguments, each as wide as a register. */
#define CALL(...) outcome(system_call((struct call){ __VA_ARGS__ }))
#define AT(pointer) (long)(uintptr_t)(pointer)

__attribute__((noreturn)) void _exit(int code) {
  for (;;) system_call((struct call){ SYS_exit_group, { code } });
}

/* For those that the library has no function for, or not everywhere. */
long syscall(long number, ...) {
  struct call call = { .number = number };
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; i++) call.arguments[i] = va_arg(arguments, long);
  va_end(arguments);
  return outcome(system_call(call));
}

ssize_t read(int fd, void *into, size_t room) { return CALL(SYS_read, { fd, AT(into), (long)room }); }
ssize_t write(int fd, const void *bytes, size_t length) { return CALL(SYS_write, { fd, AT(bytes), (long)length }); }
int close(int fd) { return (int)CALL(SYS_close, { fd }); }

int open(const char *path, int flags, ...) { return (int)CALL(SYS_openat, { AT_FDCWD, AT(path), flags }); }
int fstat(int fd, struct stat *out) { return (int)CALL(SYS_fstat, { fd, AT(out) }); }
int stat(const char *path, struct stat *out) { return (int)CALL(SYS_newfstatat, { AT_FDCWD, AT(path), AT(out), 0 }); }

int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  long argument = va_arg(arguments, long);
  va_end(arguments);
  return (int)CALL(SYS_fcntl, { fd, command, argument });
}

char *getcwd(char *into, size_t room) { return CALL(SYS_getcwd, { AT(into), (long)room }) < 0 ? NULL : into; }

int execve(const char *file, char *const argv[], char *const envp[]) {
  return (int)CALL(SYS_execve, { AT(file), AT(argv), AT(envp) });
}

int socketpair(int domain, int type, int protocol, int ends[2]) {
  return (int)CALL(SYS_socketpair, { domain, type, protocol, AT(ends) });
}

int getsockopt(int fd, int level, int option, void *value, socklen_t *size) {
  return (int)CALL(SYS_getsockopt, { fd, level, option, AT(value), AT(size) });
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) { return CALL(SYS_sendmsg, { fd, AT(message), flags }); }
ssize_t recvmsg(int fd, struct msghdr *message, int flags) { return CALL(SYS_recvmsg, { fd, AT(message), flags }); }

int poll(struct pollfd *polled, nfds_t count, int timeout) {
  struct timespec limit = { timeout / 1000, timeout % 1000 * 1000000L };
  return (int)CALL(SYS_ppoll, { AT(polled), (long)count, timeout < 0 ? 0 : AT(&limit), 0, (long)MASK });
}
