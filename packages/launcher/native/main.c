/* codex-launcher: starts a command and stays beside it as its supervisor.
   Started by Node with descriptor 3 = control socket, further ones as the launch record says; or forked by the nursery with
   two pipes in the place of the socket. It reports: started, failed, exited, tree gone. It outlives the command while
   descendants live, and ends the whole tree when asked to or when the server goes away (supervisor.c). `codex-launcher
   --probe` prints what the kernel offers, `--watch` serves an inotify instance (watch.c), `--nursery` forks supervisors
   (nursery.c). */
#define _GNU_SOURCE
#include "child.h"
#include "command-io.h"
#include "nursery.h"
#include "relay.h"
#include "restrict.h"
#include "supervisor.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "records are little-endian on both sides"
#endif

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

/* A server that is gone here has left nothing to report and nothing to end. */
static void take(const struct supervisor *s, void *into, size_t length) {
  if (read_fully(CONTROL_FD, s->lifeline_fd, into, length) != 0) _exit(0);
}

/* The first word tells a launch record from an order that Node sent before it knew that the tree is gone: those are
   skipped, the one that was cut off included. Anything else comes from a launcher of another version. */
static int read_header(struct supervisor *s, uint32_t *length) {
  union { struct control order; struct { uint32_t magic, length; } record; char bytes[sizeof(struct control)]; } head;
  size_t have = s->orders_length;
  memcpy(head.bytes, s->orders, have);   /* less than one order, see read_control */
  for (;; have = 0) {
    if (have < sizeof head.record) take(s, head.bytes + have, sizeof head.record - have);
    if (head.record.magic == SPEC_MAGIC) break;
    if (head.order.type < CONTROL_OPENED || head.order.type >= CONTROL_END) return EPROTO;
    if (have < sizeof head.record) have = sizeof head.record;
    take(s, head.bytes + have, sizeof head.order - have);
  }
  *length = head.record.length;
  return *length > SPEC_MAX_BYTES ? EPROTO : 0;
}

static uint8_t *read_spec(struct supervisor *s, uint32_t *length, int *error) {
  if ((*error = read_header(s, length)) != 0) return NULL;
  uint8_t *body = malloc(*length + 1);
  if (body == NULL) { *error = ENOMEM; return NULL; }
  take(s, body, *length);
  *error = spec_parse(body, *length, &s->spec);
  return body;
}

void close_from(unsigned first) {
  if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
  for (int fd = (int)first; fd < sysconf(_SC_OPEN_MAX) && fd < 65536; fd++) close(fd);   /* Linux before 5.9 */
}

void wake_on_input(int fd) {
  fcntl(fd, F_SETOWN, getpid());
  fcntl(fd, F_SETSIG, SIGCONT);
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
}

/* Whatever the server's own parent leaked into it must not reach a command; what is left closes on exec. */
static void close_leaks(const struct spec *spec) {
  unsigned first = CONTROL_FD + spec->inherited_fds;
  close_from(first);
  for (int fd = CONTROL_FD; fd < (int)first; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static _Noreturn void give_up(struct supervisor *s, int stage, int error) {
  report(s, (struct status){ STATUS_FAILED, (uint32_t)stage, (uint32_t)error, 0, 0 });
  leave(s);
}

static void start(struct supervisor *s) {
  struct child_job job = { .spec = &s->spec, .supervisor = getpid(), .stdio = { -1, -1, -1 } };
  int error = make_grants(s);
  if (error != 0) give_up(s, STAGE_IO, error);
  int peer = -1;
  if (s->spec.flags & FLAG_PTY) {
    job.is_pty = 1;
    if ((peer = open_terminal(s)) < 0) give_up(s, STAGE_PTY, errno);
    for (int i = 0; i < 3; i++) job.stdio[i] = peer;
    if ((error = make_relay(s)) != 0) give_up(s, STAGE_IO, error);
  } else {
    if ((error = make_pipes(s)) != 0) give_up(s, STAGE_IO, error);
    job.stdio[0] = s->pipe_fds[0];
    job.stdio[1] = s->pipe_fds[3];
    job.stdio[2] = s->pipe_fds[5];
  }
  s->command = child_start(&job);
  if (s->command < 0) give_up(s, job.stage, job.error);
  if (peer >= 0) close(peer);   /* the terminal hangs up when the tree has closed it, not when we do */
  for (uint32_t i = 0; i < s->spec.grant_count; i++)
    if (s->spec.grants[i].source > CONTROL_FD) close(s->spec.grants[i].source);
  report(s, (struct status){ STATUS_STARTED, (uint32_t)s->command, (uint32_t)s->pipe_fds[1], (uint32_t)s->pipe_fds[2],
                             (uint32_t)s->pipe_fds[4] });
}

/* Orders that others have open can hold a whole record of a server that is gone: no command runs for it, not even for the
   moment until supervise() looks. */
static int lifeline_holds(const struct supervisor *s) {
  struct pollfd polled = { s->lifeline_fd, 0, 0 };
  return poll(&polled, 1, 0) <= 0;
}

/* Tells of children that ended and of a server that may have died; the first descriptor above what Node gave us. */
static int watch_signals(void) {
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGCHLD);
  sigaddset(&watched, SIGCONT);
  return signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* One command from its record to its end. Node sends another record only to a supervisor that its last command could not
   reach (src/native/pipe-supervisors.ts); what belongs to one command is made here and gone at the end. */
static void serve(struct supervisor *s) {
  s->command = s->pty_fd = s->report_fd = s->relay_fd = -1;
  for (int i = 0; i < 6; i++) s->pipe_fds[i] = -1;
  s->command_reaped = s->handed_over = s->want_writable = 0;
  s->relay_full = 0;
  s->relay_length = s->relay_owed = 0;

  int error = 0;
  uint32_t length = 0;
  uint8_t *body = read_spec(s, &length, &error);
  s->orders_length = 0;
  if (error != 0) give_up(s, STAGE_SPEC, error);
  if (!parent_is_there(s) || !lifeline_holds(s)) _exit(0);
  if (s->signal_fd < 0) {
    close_leaks(&s->spec);
    s->signal_fd = watch_signals();
    if (s->signal_fd < 0) give_up(s, STAGE_SPEC, errno);
  }
  prctl(PR_SET_DUMPABLE, 1);   /* Node opens the pipes through /proc, and says when it has */
  start(s);
  explicit_bzero(body, length);   /* arguments and environment are the command's business alone from here on */
  free(body);
  supervise(s);
  spec_free(&s->spec);
  close_from((unsigned)s->signal_fd + 1);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--probe") == 0) {
    printf("landlock %d\n", landlock_abi());
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "--watch") == 0) return watch_main();
  /* Everything is blocked: a signal meant for the server's group or sent by the command ends nothing here. */
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  prctl(PR_SET_DUMPABLE, 0);   /* nobody looks in or attaches while we wait for what may be somebody's secret */
  static struct supervisor s = { .signal_fd = -1, .status_fd = CONTROL_FD, .lifeline_fd = -1 };
  if (argc == 2 && strcmp(argv[1], "--nursery") == 0) {
    nursery_main();
    s.status_fd = NURSERY_STATUS_FD;
    s.lifeline_fd = NURSERY_LIFELINE_FD;
  }
  signal(SIGCHLD, SIG_DFL);   /* ignored by our parent it would let the kernel reap behind our back */
  prctl(PR_SET_PDEATHSIG, SIGCONT);   /* wakes us to look, even if the command has stopped us */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);   /* fixed, so that the memory of a large record goes back when it is freed */
#endif
  for (;;) serve(&s);
}
