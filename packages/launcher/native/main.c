/* codex-launcher has five modes, each a program of its own:
     codex-launcher              one supervisor and its guardian, started by Node with descriptor 3 = socket, further ones as
                                 the launch record says (launch.c, supervisor.c, guardian.c)
     codex-launcher --nursery    the guardian of many supervisors, which it forks when Node asks for some (nursery.c)
     codex-launcher --watch      serves an inotify instance; has nothing to do with launching (watch.c)
     codex-launcher --keep PID   looks after the mounts of a sandbox that has no supervisor (keep.c)
     codex-launcher --probe      prints what the kernel offers
   A supervisor starts a command and stays beside it. It tells Node: started, failed, exited, tree gone. It outlives the
   command while descendants live, and ends the whole tree when asked to or when the server goes away. */
#define _GNU_SOURCE
#include "command/child.h"
#include "command/command-io.h"
#include "guardian.h"
#include "keep.h"
#include "nursery.h"
#include "command/limits.h"
#include "command/restrict.h"
#include "supervisor.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "records are little-endian on both sides"
#endif

static int probe(void) {
  printf("landlock %d\n", landlock_abi());
  return 0;
}

/* Returns in the supervisor, which has whatever Node has given us. */
static void guard(struct link *link) {
  guardian_begin();
  pid_t supervisor = guardian_fork();
  if (supervisor == 0) {
    setsid();   /* else a signal to the guardian's group would reach both */
    wake_on_input(SERVER_FD);
    return;
  }
  if (supervisor < 0) {
    send_status(link, (struct status){ STATUS_FAILED, STAGE_FORK, (uint32_t)errno, 0, 0 });
    leave(link);
  }
  close_from(SERVER_FD);   /* the socket is the supervisor's alone: its end is to be seen */
  guardian_settle();
  for (;; guardian_wait()) guardian_look(1, 0);
}

static _Noreturn void run_supervisor(int is_nursery) {
  limits_remember();
  static struct supervisor s = { .link = { .status_fd = SERVER_FD, .lifeline_fd = -1 }, .ahead_fds = { -1, -1 } };
  /* Node may have ignored some: a command must not start with that, and ignored children would be reaped behind our back. */
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);   /* KILL, STOP and libc's own refuse: no matter */
  /* Everything is blocked: a signal meant for the server's group or sent by the command ends nothing here. */
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  prctl(PR_SET_DUMPABLE, 0);   /* no process looks in or attaches while we wait for a record that may hold secrets */
  if (is_nursery) {
    nursery_main();
    s.link.status_fd = NURSERY_STATUS_FD;
    s.link.lifeline_fd = NURSERY_LIFELINE_FD;
    s.ahead_fds[0] = NURSERY_STDOUT_FD;
    s.ahead_fds[1] = NURSERY_STDERR_FD;
  } else {
    guard(&s.link);
  }
  prctl(PR_SET_PDEATHSIG, SIGCONT);   /* goes on when its guardian dies, which would have woken it */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);   /* fixed, so that the memory of a large record goes back when it is freed */
#endif
  serve_launches(&s);
}

int main(int argc, char **argv) {
  const char *mode = argc >= 2 ? argv[1] : "";
  if (strcmp(mode, "--probe") == 0) return probe();
  if (strcmp(mode, "--watch") == 0) return watch_main();
  if (strcmp(mode, "--keep") == 0 && argc >= 3) return keep_main(argv[2]);
  run_supervisor(strcmp(mode, "--nursery") == 0);
}
