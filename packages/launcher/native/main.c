/* codex-launcher: starts one command and stays beside it as its supervisor.
   Started by Node with descriptor 3 = control socket, further ones as the launch record says. It reports on that socket:
   started, failed, exited, tree gone. It outlives the command while descendants live, and ends the whole tree when asked
   to or when the server goes away. `codex-launcher --probe` prints what the kernel offers, `--watch`
   serves an inotify instance (watch.c). */
#define _GNU_SOURCE
#include "child.h"
#include "restrict.h"
#include "spec.h"
#include "tree.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "records are little-endian on both sides"
#endif
#ifndef TIOCGPTPEER
#define TIOCGPTPEER _IO('T', 0x41)
#endif

enum { CONTROL_FD = 3, PTY_FD = 4 };
/* Twins in src/native/status-codec.ts and src/native/control-codec.ts. */
enum { STATUS_STARTED = 1, STATUS_FAILED, STATUS_EXITED, STATUS_TREE_GONE, STATUS_WRITABLE };
enum { CONTROL_OPENED = 1, CONTROL_SIGNAL, CONTROL_KILL_TREE, CONTROL_RESIZE, CONTROL_WANT_WRITABLE, CONTROL_PTY_CLOSED };
enum { SCOPE_COMMAND = 0, SCOPE_GROUP, SCOPE_DESCENDANTS };
struct status { uint32_t type, a, b, c, d; };
struct control { uint32_t type, a, b; };

struct supervisor {
  struct spec spec;
  pid_t command;             /* its session and group number too */
  int command_reaped;
  int server_gone, killing;
  int handed_over;           /* Node has opened its ends of the pipes */
  int want_writable;
  int signal_fd;
  int pipe_fds[6];           /* stdin, stdout, stderr: read end, write end; -1 when not there */
  int pty_fd;
};

static void report(struct supervisor *s, struct status status) {
  const char *at = (const char *)&status;
  for (size_t left = sizeof status; left > 0 && !s->server_gone;) {
    ssize_t sent = send(CONTROL_FD, at, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) { s->server_gone = 1; return; }
    at += sent;
    left -= (size_t)sent;
  }
}

/* The last report is out. Node may be writing an order at this moment: a closed socket would fail that write, and Node
   would drop our report with it. So wait until Node hangs up. */
static _Noreturn void leave(struct supervisor *s) {
  char ignored[256];
  while (!s->server_gone) {
    ssize_t got = read(CONTROL_FD, ignored, sizeof ignored);
    if (got == 0 || (got < 0 && errno != EINTR)) break;
  }
  _exit(0);
}

static int read_fully(void *into, size_t length) {
  for (char *at = into; length > 0;) {
    ssize_t got = read(CONTROL_FD, at, length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return -1;
    at += got;
    length -= (size_t)got;
  }
  return 0;
}

/* The server is gone before anything was started: nothing to report, nothing to end. */
static uint8_t *read_spec(struct spec *spec, int *error) {
  uint32_t header[2];
  if (read_fully(header, sizeof header) != 0) _exit(0);
  if (header[0] != SPEC_MAGIC || header[1] > SPEC_MAX_BYTES) { *error = EPROTO; return NULL; }
  uint8_t *body = malloc(header[1] + 1);
  if (body == NULL) { *error = ENOMEM; return NULL; }
  if (read_fully(body, header[1]) != 0) _exit(0);
  *error = spec_parse(body, header[1], spec);
  return body;
}

/* Whatever the server's own parent leaked into it must not reach a command; what is left closes on exec. */
static void close_leaks(const struct spec *spec) {
  unsigned first = CONTROL_FD + spec->inherited_fds;
  if (syscall(SYS_close_range, first, ~0u, 0) != 0)   /* Linux before 5.9 */
    for (int fd = (int)first; fd < sysconf(_SC_OPEN_MAX) && fd < 65536; fd++) close(fd);
  for (int fd = CONTROL_FD; fd < (int)first; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* Real pipes, because programs reopen /dev/stdout and a socket refuses that. Node opens its ends through
   /proc/<us>/fd; until it says so we keep both ends, so that neither side sees a hang-up that is not there. */
static int make_pipes(struct supervisor *s) {
  for (int i = (s->spec.flags & FLAG_STDIN_OPEN) ? 0 : 1; i < 3; i++)
    if (pipe2(&s->pipe_fds[2 * i], O_CLOEXEC) != 0) return errno;
  return 0;
}

static void close_pipes(struct supervisor *s) {
  for (int i = 0; i < 6; i++)
    if (s->pipe_fds[i] >= 0) { close(s->pipe_fds[i]); s->pipe_fds[i] = -1; }
}

static void resize(struct supervisor *s, uint32_t rows, uint32_t cols) {
  struct winsize size = { .ws_row = (uint16_t)rows, .ws_col = (uint16_t)cols };
  if (s->pty_fd >= 0) ioctl(s->pty_fd, TIOCSWINSZ, &size);   /* the kernel sends SIGWINCH to the foreground group */
}

/* Returns the terminal end, or -1 with errno. */
static int open_terminal(struct supervisor *s) {
  int unlock = 0;
  s->pty_fd = PTY_FD;
  if (ioctl(PTY_FD, TIOCSPTLCK, &unlock) != 0) return -1;
  int peer = ioctl(PTY_FD, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);   /* by descriptor: no path, no race, no mount */
  if (peer < 0) return -1;
  struct termios modes;
  if (tcgetattr(peer, &modes) == 0) {
    modes.c_iflag |= IUTF8;   /* backspace removes a character, not a byte */
    tcsetattr(peer, TCSANOW, &modes);
  }
  resize(s, s->spec.rows, s->spec.cols);
  return peer;
}

/* Bytes that the command gets as a file: memory only, read from the start, sealed against change. */
static int open_data_grants(struct spec *spec) {
  for (uint32_t i = 0; i < spec->grant_count; i++) {
    struct fd_grant *grant = &spec->grants[i];
    if (grant->source >= 0) continue;
    int fd = memfd_create("codex-launch-data", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return errno;
    for (uint32_t done = 0; done < grant->data_length;) {
      ssize_t wrote = write(fd, grant->data + done, grant->data_length - done);
      if (wrote < 0) return errno;
      done += (uint32_t)wrote;
    }
    fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
    lseek(fd, 0, SEEK_SET);
    grant->source = fd;
  }
  return 0;
}

static _Noreturn void give_up(struct supervisor *s, int stage, int error) {
  report(s, (struct status){ STATUS_FAILED, (uint32_t)stage, (uint32_t)error, 0, 0 });
  leave(s);
}

static void start(struct supervisor *s) {
  struct child_job job = { .spec = &s->spec, .supervisor = getpid(), .stdio = { 0, 1, 2 } };   /* 0 is /dev/null */
  int error = open_data_grants(&s->spec);
  if (error != 0) give_up(s, STAGE_IO, error);
  int peer = -1;
  if (s->spec.flags & FLAG_PTY) {
    job.is_pty = 1;
    if ((peer = open_terminal(s)) < 0) give_up(s, STAGE_PTY, errno);
    for (int i = 0; i < 3; i++) job.stdio[i] = peer;
    s->handed_over = 1;   /* Node has had the master from the beginning */
  } else {
    if ((error = make_pipes(s)) != 0) give_up(s, STAGE_IO, error);
    if (s->pipe_fds[0] >= 0) job.stdio[0] = s->pipe_fds[0];
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

/* Returns 1 while children are left. Orphans come to us, so no children means no descendants. */
static int reap(struct supervisor *s) {
  for (;;) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) return 0;
    if (pid == 0) return 1;
    if (pid != s->command || s->command_reaped) continue;
    s->command_reaped = 1;
    uint32_t code = WIFEXITED(status) ? (uint32_t)WEXITSTATUS(status) : 0;
    report(s, (struct status){ STATUS_EXITED, code, WIFSIGNALED(status) ? (uint32_t)WTERMSIG(status) : 0, 0, 0 });
  }
}

static void send_signal(struct supervisor *s, uint32_t scope, int number) {
  if (number < 1 || number >= NSIG) return;
  if (scope == SCOPE_DESCENDANTS) tree_signal(number, 0, s->command);
  else if (s->command_reaped) { if (scope == SCOPE_GROUP) tree_signal(number, s->command, 0); }   /* the pid may be someone else's by then */
  else kill(scope == SCOPE_GROUP ? -s->command : s->command, number);
}

static void obey(struct supervisor *s, struct control message) {
  switch (message.type) {
    case CONTROL_OPENED:
      close_pipes(s);
      s->handed_over = 1;
      /* From here on nobody needs /proc/<us>/fd: a command of the same user can neither look in nor attach. It can still
         send us SIGKILL (it then dies with us, see child.c) or SIGSTOP (Node sends SIGCONT from time to time, the kernel
         does when Node dies). */
      prctl(PR_SET_DUMPABLE, 0);
      break;
    case CONTROL_SIGNAL: send_signal(s, message.a, (int)message.b); break;
    case CONTROL_KILL_TREE: s->killing = 1; break;
    case CONTROL_RESIZE: resize(s, message.a, message.b); break;
    case CONTROL_WANT_WRITABLE: s->want_writable = s->pty_fd >= 0; break;
    case CONTROL_PTY_CLOSED:
      if (s->pty_fd >= 0) close(s->pty_fd);
      s->pty_fd = -1;
      s->want_writable = 0;
      break;
    default: break;
  }
}

static void read_control(struct supervisor *s) {
  static char buffer[sizeof(struct control) * 64];
  static size_t filled;
  ssize_t got = recv(CONTROL_FD, buffer + filled, sizeof buffer - filled, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) { s->server_gone = 1; return; }
  filled += (size_t)got;
  size_t used = 0;
  for (; filled - used >= sizeof(struct control); used += sizeof(struct control)) {
    struct control message;
    memcpy(&message, buffer + used, sizeof message);
    obey(s, message);
  }
  memmove(buffer, buffer + used, filled - used);
  filled -= used;
}

static void wait_for_event(struct supervisor *s, int timeout) {
  struct pollfd polled[3] = { { s->signal_fd, POLLIN, 0 },
                              { s->server_gone ? -1 : CONTROL_FD, POLLIN, 0 },
                              { s->want_writable ? s->pty_fd : -1, POLLOUT, 0 } };
  if (poll(polled, 3, timeout) <= 0) return;
  struct signalfd_siginfo drained;
  while (read(s->signal_fd, &drained, sizeof drained) > 0) {}
  /* The parent-death signal comes when the *thread* that started us ends. Only another parent means a dead server. */
  if (getppid() != s->spec.server_pid) s->server_gone = 1;
  if (polled[1].revents != 0) read_control(s);
  if (polled[2].revents != 0) {
    s->want_writable = 0;
    report(s, (struct status){ STATUS_WRITABLE, 0, 0, 0, 0 });
  }
}

static _Noreturn void supervise(struct supervisor *s) {
  int pause = 1;   /* milliseconds between kill rounds */
  for (;;) {
    int has_children = reap(s);
    if (!has_children && (s->handed_over || s->server_gone)) break;
    if (s->server_gone) s->killing = 1;
    if (s->killing && has_children) {
      tree_kill_round();
      if (reap(s) == 0) continue;
      wait_for_event(s, pause);
      if (pause < 250) pause *= 2;   /* what does not die at once hangs in the kernel: look again, without heat */
    } else {
      /* The kernel's wake-up of a terminal's writer is not to be trusted alone: look again from time to time. */
      wait_for_event(s, s->want_writable ? 50 : -1);
    }
  }
  report(s, (struct status){ STATUS_TREE_GONE, 0, 0, 0, 0 });
  leave(s);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--probe") == 0) {
    printf("landlock %d\n", landlock_abi());
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "--watch") == 0) return watch_main();
  /* Everything is blocked: a signal meant for the server's group or sent by the command ends nothing here. */
  sigset_t all, watched;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  signal(SIGCHLD, SIG_DFL);   /* ignored by our parent it would let the kernel reap behind our back */
  prctl(PR_SET_PDEATHSIG, SIGCONT);   /* wakes us to look, even if the command has stopped us */
  prctl(PR_SET_CHILD_SUBREAPER, 1);

  static struct supervisor s = { .command = -1, .pty_fd = -1, .pipe_fds = { -1, -1, -1, -1, -1, -1 } };
  int error = 0;
  uint8_t *body = read_spec(&s.spec, &error);
  if (error != 0) give_up(&s, STAGE_SPEC, error);
  if (getppid() != s.spec.server_pid) _exit(0);
  close_leaks(&s.spec);

  sigemptyset(&watched);
  sigaddset(&watched, SIGCHLD);
  sigaddset(&watched, SIGCONT);
  s.signal_fd = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  if (s.signal_fd < 0) give_up(&s, STAGE_SPEC, errno);
  start(&s);
  free(body);   /* arguments and environment are the command's business alone from here on */
  supervise(&s);
}
