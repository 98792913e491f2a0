/* Shares the memory of its minder until exec, as a command does with its supervisor (launcher/native/command/child.c). */
#define _GNU_SOURCE
#include "outside.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void fail(struct outside *outside, const char *at, int error) {
  outside->failed_at = at;
  outside->error = error;
  _exit(127);
}

/* The broker ignores and catches nothing, and so do we. Two start as usual whatever the asking process does about them: SIGPIPE, which
   language runtimes ignore for themselves alone, and SIGCHLD, without which a program cannot tell whether its children have failed. */
static void set_signals(uint64_t ignored) {
  for (int number = 1; number < NSIG; number++)
    if (number != SIGPIPE && number != SIGCHLD && (ignored >> (number - 1) & 1)) signal(number, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Closed for reads and writes (EBADF, as it was for the asking process), and taken nevertheless: otherwise the first file
   that the program opens would be its stdin or its stderr, and the asking process would have chosen so. */
static void keep_closed(int fd) {
  int nothing = open("/dev/null", (fd == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
  if (nothing < 0) return;
  if (nothing == fd) fcntl(fd, F_SETFD, 0);
  else dup2(nothing, fd);
}

/* Sources move above every target first: a target may be another's source. What no target names is closed. */
static int place_descriptors(const struct outside *outside) {
  const struct fds_message *targets = outside->targets;
  int above = 3, moved[MAX_FDS], is_used[3] = { 0 };
  for (size_t i = 0; i < targets->count; i++)
    if (targets->targets[i] >= above) above = targets->targets[i] + 1;
  for (size_t i = 0; i < targets->count; i++)
    if ((moved[i] = fcntl(outside->fds[i], F_DUPFD_CLOEXEC, above)) < 0) return errno;
  for (size_t i = 0; i < targets->count; i++) {
    if (dup2(moved[i], targets->targets[i]) < 0) return errno;
    if (targets->targets[i] < 3) is_used[targets->targets[i]] = 1;
  }
  for (int fd = 0; fd < 3; fd++)
    if (!is_used[fd]) keep_closed(fd);
  return 0;
}

/* The asking process cannot have more than the server has, unless a limit of ours was lowered. */
void outside_limits(struct asker_traits *traits) {
  for (int i = 0; i < ASKER_LIMITS; i++) {
    struct rlimit own, *wanted = &traits->limits[i];
    if (getrlimit(i, &own) != 0) continue;
    if (wanted->rlim_max > own.rlim_max) wanted->rlim_max = own.rlim_max;
    if (wanted->rlim_cur > wanted->rlim_max) wanted->rlim_cur = wanted->rlim_max;
    if (wanted->rlim_cur == own.rlim_cur && wanted->rlim_max == own.rlim_max) traits->is_limit_same |= 1u << i;
  }
}

static int set_limits(const struct asker_traits *traits) {
  for (int i = 0; i < ASKER_LIMITS; i++)
    if (!(traits->is_limit_same >> i & 1) && setrlimit(i, &traits->limits[i]) != 0) return errno;
  return 0;
}

/* Not inherited by exec and above all targets, so that neither placing nor closing touches them. */
static int move_up(int fd, int above) { return fcntl(fd, F_DUPFD_CLOEXEC, above); }

static int execute(const struct outside *outside, int exec_fd) {
  char **argv = (char **)(uintptr_t)outside->argv, **envp = (char **)(uintptr_t)outside->envp;
  if (outside->is_elf) {
    syscall(SYS_execveat, exec_fd, "", argv, envp, AT_EMPTY_PATH);
    return errno;
  }
  /* A script is told its path. It leads to the judged file unless that is replaced meanwhile; whoever can do that could rewrite it. */
  execve(outside->path, argv, envp);
  if (errno != ENOEXEC || outside->shell == NULL) return errno;
  execve(outside->shell, outside->shell_argv, envp);
  return errno;
}

static int run(void *argument) {
  struct outside *outside = argument;
  int error, above = 3;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != outside->minder) _exit(127);
  set_signals(outside->traits->ignored_signals);
  if (setsid() < 0) fail(outside, "session", errno);
  if (fchdir(outside->folder_fd) != 0) fail(outside, "working directory", errno);
  for (size_t i = 0; i < outside->targets->count; i++)
    if (outside->targets->targets[i] >= above) above = outside->targets->targets[i] + 1;
  int exec_fd = move_up(outside->exec_fd, above);
  if (exec_fd < 0) fail(outside, "descriptors", errno);
  if ((error = place_descriptors(outside)) != 0) fail(outside, "descriptors", error);
  umask(outside->traits->umask);
  if ((error = set_limits(outside->traits)) != 0) fail(outside, "limits", error);
  fail(outside, "program", execute(outside, exec_fd));
}

/* SHELL PATH ARGUMENTS: what a shell makes of a text that the kernel cannot execute. */
static char **argv_for_shell(const struct outside *outside) {
  size_t count = 0;
  while (outside->argv[count] != NULL) count++;
  const char **extended = calloc(count + 3, sizeof *extended);
  if (extended == NULL) return NULL;
  extended[0] = outside->shell;
  extended[1] = outside->path;
  for (size_t i = 1; i < count; i++) extended[i + 1] = outside->argv[i];
  return (char **)(uintptr_t)extended;
}

pid_t outside_start(struct outside *outside) {
  static _Alignas(16) char stack[64 * 1024];
  outside->failed_at = NULL;
  /* Here and not in the child, which shares our memory. Kept as long as the process lives. */
  outside->shell_argv = outside->shell == NULL ? NULL : argv_for_shell(outside);
  if (outside->shell_argv == NULL) outside->shell = NULL;
  pid_t pid = clone(run, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, outside);
  if (pid < 0) {
    outside->failed_at = "process";
    outside->error = errno;
    return -1;
  }
  if (outside->failed_at == NULL) return pid;
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
  return -1;
}
