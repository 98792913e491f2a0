/* Every supervisor is the child of a guardian: of the nursery, which has many, or of one of its own when Node starts it with
   descriptors. The guardian is a child-subreaper too and does nothing as long as all is well. A command of the same user can
   do to its supervisor whatever a user can do to a process. So:
   - a supervisor that is stopped is continued at once: the kernel tells its parent;
   - of one that is killed, whatever the command has left (daemons in sessions of their own) comes to the guardian, and is ended;
   - when the server is gone and supervisors are still there half a second later, they and all below them are ended.
   It needs no descriptor for that but the one that is open from the start, waits for signals only, and allocates nothing.

   What it does not stop: a command that kills the guardian and the supervisor both, or keeps both stopped while it kills the
   server. A guardian above the guardian could be killed by the same command. */
#define _GNU_SOURCE
#include "guardian.h"
#include "tree.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_PID = 4194304, GRACE_MS = 500, LONGEST_PAUSE_MS = 250 };

static pid_t server;
static uint8_t is_supervisor[MAX_PID / 8];   /* pages are touched only as far as they are used */
static int has_strays;                       /* a supervisor was lost: what it had is with us now */
static int is_server_gone, is_ending;
static int64_t grace_ends;
static int pause_ms = 1;                     /* between kill rounds */

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int supervises(pid_t pid) { return pid < MAX_PID && (is_supervisor[pid / 8] >> (pid % 8) & 1); }

static void mark(pid_t pid, int value) {
  if (pid >= MAX_PID) return;
  if (value) is_supervisor[pid / 8] |= (uint8_t)(1 << (pid % 8));
  else is_supervisor[pid / 8] &= (uint8_t)~(1 << (pid % 8));
}

void guardian_begin(void) {
  server = getppid();
  prctl(PR_SET_PDEATHSIG, SIGCONT);   /* wakes us to look, even if a command has stopped us */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void guardian_settle(void) { tree_open(); }

pid_t guardian_fork(void) {
  pid_t pid = fork();
  if (pid > 0) mark(pid, 1);
  return pid;
}

/* Returns 1 while children are left. */
static int reap(void) {
  for (;;) {
    siginfo_t child = { .si_pid = 0 };
    if (waitid(P_ALL, 0, &child, WEXITED | WSTOPPED | WNOHANG) != 0) {
      if (errno == EINTR) continue;
      return 0;
    }
    if (child.si_pid == 0) return 1;
    if (!supervises(child.si_pid)) continue;
    if (child.si_code == CLD_STOPPED) {
      if (!is_ending) kill(child.si_pid, SIGCONT);
      continue;
    }
    mark(child.si_pid, 0);
    /* One that ends by itself has no children left. */
    if (child.si_code != CLD_EXITED || child.si_status != 0) has_strays = 1;
  }
}

static void reap_hook(void *context) { (void)context; reap(); }
static int supervises_hook(void *context, pid_t pid) { (void)context; return supervises(pid); }

static void end_strays(void) {
  const struct tree_hooks hooks = { .reap = reap_hook, .is_spared = supervises_hook };
  if (tree_kill_round(&hooks) > 0) return;
  has_strays = 0;
  pause_ms = 1;
}

static void end_all(void) {
  const struct tree_hooks hooks = { .reap = reap_hook };
  is_ending = 1;
  tree_kill_round(&hooks);
}

void guardian_look(int is_last, int has_hung_up) {
  if (!is_server_gone && (has_hung_up || getppid() != server)) {
    is_server_gone = 1;
    grace_ends = now_ms() + GRACE_MS;
  }
  int has_children = reap();
  if (!has_children && (is_last || is_server_gone)) _exit(0);
  if (is_server_gone && now_ms() >= grace_ends) end_all();
  else if (has_strays) end_strays();
}

void guardian_wait(void) {
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, SIGCONT);
  sigaddset(&awaited, SIGIO);   /* what the kernel sends instead when signals cannot be queued */
  int64_t timeout = -1;
  if (has_strays || is_ending) {
    timeout = pause_ms;
    if (pause_ms < LONGEST_PAUSE_MS) pause_ms *= 2;
  } else if (is_server_gone) {
    timeout = grace_ends - now_ms();
    if (timeout < 1) timeout = 1;
  }
  /* EINTR: we were stopped and go on. What the signal would have told is looked at again by the caller in any case. */
  if (timeout < 0) sigwaitinfo(&awaited, NULL);
  else sigtimedwait(&awaited, NULL, &(struct timespec){ timeout / 1000, timeout % 1000 * 1000000 });
}
