/* The child shares the supervisor's memory and the supervisor sleeps until exec or exit (CLONE_VM | CLONE_VFORK): no page
   tables are copied, and a failure is two plain stores instead of a pipe. Descriptors, signal dispositions, cwd and
   credentials are the child's own. */
#define _GNU_SOURCE
#include "child.h"
#include "limits.h"
#include "restrict.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void fail(struct child_job *job, int stage, int error) {
  job->stage = stage;
  job->error = error;
  _exit(127);
}

/* The supervisor blocks every signal, and ignores none (main.c). */
static void unblock_signals(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Sources move above every target first, because a target number may be another grant's source. All other descriptors
   of the supervisor are close-on-exec, dup2 gives copies that are not. `moved` has room for one number per grant: the
   grants themselves are the supervisor's, which closes its own descriptors by them. */
static int place_descriptors(const struct child_job *job, int *moved) {
  const struct spec *spec = job->spec;
  int base = 3;
  for (uint32_t i = 0; i < spec->grant_count; i++)
    if (spec->grants[i].target >= base) base = spec->grants[i].target + 1;
  int stdio[3];
  for (int i = 0; i < 3; i++)
    if ((stdio[i] = fcntl(job->stdio[i], F_DUPFD_CLOEXEC, base)) < 0) return errno;
  for (uint32_t i = 0; i < spec->grant_count; i++)
    if ((moved[i] = fcntl(spec->grants[i].source, F_DUPFD_CLOEXEC, base)) < 0) return errno;
  for (int i = 0; i < 3; i++)
    if (dup2(stdio[i], i) < 0) return errno;
  for (uint32_t i = 0; i < spec->grant_count; i++)
    if (dup2(moved[i], spec->grants[i].target) < 0) return errno;
  return 0;
}

static int grant_descriptors(const struct child_job *job) {
  int *moved = calloc((size_t)job->spec->grant_count + 1, sizeof *moved);
  if (moved == NULL) return ENOMEM;
  int error = place_descriptors(job, moved);
  free(moved);
  return error;
}

static const char *search_path(char **envp) {
  for (; *envp != NULL; envp++)
    if (strncmp(*envp, "PATH=", 5) == 0) return *envp + 5;
  return "/bin:/usr/bin";   /* what execvp uses when PATH is unset */
}

/* A text file without "#!" runs under /bin/sh, as with execvp: what starts in a shell starts here. */
static int exec_file(const char *file, const struct spec *spec) {
  execve(file, spec->argv, spec->envp);
  if (errno != ENOEXEC) return errno;
  size_t count = 0;
  while (spec->argv[count] != NULL) count++;
  const char **argv = calloc(count + 2, sizeof *argv);
  if (argv == NULL) return ENOMEM;
  argv[0] = "/bin/sh";
  argv[1] = file;
  memcpy(argv + 2, spec->argv + 1, count * sizeof *argv);   /* with the closing NULL */
  execve("/bin/sh", (char **)(uintptr_t)argv, spec->envp);
  return errno;
}

/* Looks up in the PATH of the command's own environment. Returns the errno that tells most: EACCES over ENOENT. */
static int exec_program(const struct spec *spec) {
  const char *program = spec->program;
  if (program[0] == '\0') return ENOENT;
  if (strchr(program, '/') != NULL) return exec_file(program, spec);
  int denied = 0;
  char file[PATH_MAX];
  const char *entry = search_path(spec->envp);
  for (;;) {
    size_t length = strcspn(entry, ":");
    /* An empty entry is the working directory. */
    int needed = snprintf(file, sizeof file, "%.*s%s%s", (int)length, entry, length == 0 ? "" : "/", program);
    if (length < PATH_MAX && needed > 0 && (size_t)needed < sizeof file) {
      if (length == 0 && (size_t)needed + 2 < sizeof file) {   /* "./x": exec must not search again */
        memmove(file + 2, file, (size_t)needed + 1);
        memcpy(file, "./", 2);
      }
      int error = exec_file(file, spec);
      if (error == EACCES) denied = 1;
      else if (error != ENOENT && error != ENOTDIR && error != ESTALE && error != ENODEV && error != ETIMEDOUT) return error;
    }
    if (entry[length] == '\0') return denied ? EACCES : ENOENT;
    entry += length + 1;
  }
}

static int run(void *argument) {
  struct child_job *job = argument;
  const struct spec *spec = job->spec;
  int error;

  /* The command dies with its supervisor. The check closes the gap before prctl. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != job->supervisor) _exit(127);
  if (!limits_hold()) fail(job, STAGE_SUPERVISOR, EPERM);   /* inherited; before the record's own limits */
  unblock_signals();
  if (setsid() < 0) fail(job, STAGE_SESSION, errno);
  if ((error = grant_descriptors(job)) != 0) fail(job, STAGE_IO, error);
  if (job->is_pty && ioctl(0, TIOCSCTTY, 0) != 0) fail(job, STAGE_PTY, errno);
  if (chdir(spec->cwd) != 0) fail(job, STAGE_CWD, errno);
  if ((error = restrict_limits(spec)) != 0) fail(job, STAGE_RESTRICT, error);
  if ((spec->flags & FLAG_NO_NEW_PRIVS) && (error = restrict_privileges()) != 0) fail(job, STAGE_RESTRICT, error);
  if ((spec->flags & FLAG_LANDLOCK) && (error = restrict_landlock(spec)) != 0) fail(job, STAGE_RESTRICT, error);
  /* seccomp last: the filter may forbid what the steps above need. */
  if (spec->seccomp_length > 0 && (error = restrict_seccomp(spec)) != 0) fail(job, STAGE_RESTRICT, error);
  fail(job, STAGE_EXEC, exec_program(spec));
}

pid_t child_start(struct child_job *job) {
  static _Alignas(16) char stack[64 * 1024];   /* the child's own: the supervisor's frames stay untouched */
  job->stage = job->error = 0;
  pid_t pid = clone(run, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, job);
  if (pid < 0) {
    job->stage = STAGE_FORK;
    job->error = errno;
    return -1;
  }
  if (job->error == 0) return pid;
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}   /* the failed child is ours to reap */
  return -1;
}
