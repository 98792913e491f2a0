/* Beside a running command: reaps, obeys the server, reports, and ends the tree when asked to or when the server is gone. */
#define _GNU_SOURCE
#include "supervisor.h"
#include "command-io.h"
#include "relay.h"
#include "tree.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Twins in src/native/control-codec.ts. */
enum { SCOPE_COMMAND = 0, SCOPE_GROUP, SCOPE_DESCENDANTS };

enum { MAX_REPORT = 4096 };   /* of what the command reports, the first part; twin in src/native/status-codec.ts */

/* Pipes that come from the nursery do not block: others can have opened them through /proc, take an order between our look
   and our reading, or fill the reports. Whatever there is to wait for, the end of the server is seen. */
int wait_beside(int fd, short events, int lifeline_fd) {
  struct pollfd polled[2] = { { fd, events, 0 }, { lifeline_fd, 0, 0 } };
  while (poll(polled, 2, -1) < 0)
    if (errno != EINTR) return -1;
  return polled[1].revents != 0 ? -1 : 0;
}

static void send_bytes(struct supervisor *s, const void *bytes, size_t length) {
  const char *at = bytes;
  for (size_t left = length; left > 0 && !s->server_gone;) {
    ssize_t sent = write(s->status_fd, at, left);   /* SIGPIPE is blocked, as all are */
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN && wait_beside(s->status_fd, POLLOUT, s->lifeline_fd) == 0) continue;
    if (sent < 0) { s->server_gone = 1; return; }
    at += sent;
    left -= (size_t)sent;
  }
}

int parent_is_there(const struct supervisor *s) {
  return s->spec.server_pid == 0 || getppid() == s->spec.server_pid;
}

void report(struct supervisor *s, struct status status) { send_bytes(s, &status, sizeof status); }

/* The last report is out. Node may be writing an order at this moment: a closed socket would fail that write, and Node
   would drop our report with it. So wait until Node hangs up. With two pipes the report stays in its own. */
_Noreturn void leave(struct supervisor *s) {
  char ignored[256];
  while (!s->server_gone && s->status_fd == CONTROL_FD) {
    ssize_t got = read(CONTROL_FD, ignored, sizeof ignored);
    if (got == 0 || (got < 0 && errno != EINTR)) break;
  }
  _exit(0);
}

/* Before the exit itself, so that Node has both at once. */
static void hand_on_report(struct supervisor *s) {
  char bytes[MAX_REPORT];
  size_t length = read_report(s, bytes, sizeof bytes);
  report(s, (struct status){ STATUS_REPORT, (uint32_t)length, 0, 0, 0 });
  send_bytes(s, bytes, length);
  close(s->report_fd);
  s->report_fd = -1;
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
    if (s->report_fd >= 0) hand_on_report(s);
    uint32_t rest_follows = (uint32_t)relay_rest(s);
    uint32_t code = WIFEXITED(status) ? (uint32_t)WEXITSTATUS(status) : 0;
    uint32_t number = WIFSIGNALED(status) ? (uint32_t)WTERMSIG(status) : 0;
    report(s, (struct status){ STATUS_EXITED, code, number, rest_follows, 0 });
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
         send us SIGKILL (it then dies with us, see child.c) or SIGSTOP (Node wakes us from time to time, the kernel does
         when Node dies). */
      prctl(PR_SET_DUMPABLE, 0);
      break;
    case CONTROL_SIGNAL: send_signal(s, message.a, (int)message.b); break;
    case CONTROL_KILL_TREE: s->killing = 1; break;
    case CONTROL_RESIZE: resize(s, message.a, message.b); break;
    case CONTROL_WANT_WRITABLE: s->want_writable = s->pty_fd >= 0; break;
    case CONTROL_PTY_CLOSED:
      end_relay(s);
      if (s->pty_fd >= 0) close(s->pty_fd);
      s->pty_fd = -1;
      s->want_writable = 0;
      break;
    default: break;   /* CONTROL_WAKE: its arrival is all */
  }
}

static void read_control(struct supervisor *s) {
  ssize_t got = read(CONTROL_FD, s->orders + s->orders_length, sizeof s->orders - s->orders_length);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) { s->server_gone = 1; return; }
  s->orders_length += (size_t)got;
  size_t used = 0;
  for (; s->orders_length - used >= sizeof(struct control); used += sizeof(struct control)) {
    struct control message;
    memcpy(&message, s->orders + used, sizeof message);
    obey(s, message);
  }
  memmove(s->orders, s->orders + used, s->orders_length - used);
  s->orders_length -= used;
}

static void wait_for_event(struct supervisor *s, int timeout) {
  struct pollfd polled[5] = { { s->signal_fd, POLLIN, 0 },
                              { s->server_gone ? -1 : CONTROL_FD, POLLIN, 0 },
                              { s->want_writable ? s->pty_fd : -1, POLLOUT, 0 },
                              { s->server_gone ? -1 : s->lifeline_fd, 0, 0 },
                              relay_event(s) };
  if (poll(polled, 5, timeout) <= 0) return;
  if (polled[4].revents != 0) relay_some(s);
  /* While output flows there is mostly nothing else, and looking closer would cost two calls for each 4 KiB. */
  if ((polled[0].revents | polled[1].revents | polled[2].revents | polled[3].revents) == 0) return;
  struct signalfd_siginfo drained;
  while (read(s->signal_fd, &drained, sizeof drained) > 0) {}
  /* The parent-death signal comes when the *thread* that started us ends. Only another parent means a dead server. */
  if (!parent_is_there(s)) s->server_gone = 1;
  /* The orders are a pipe that others can have opened through /proc while Node could: their end alone is not enough. */
  if (polled[3].revents != 0) s->server_gone = 1;
  if (polled[1].revents != 0) read_control(s);
  if (polled[2].revents != 0) {
    s->want_writable = 0;
    report(s, (struct status){ STATUS_WRITABLE, 0, 0, 0, 0 });
  }
}

void supervise(struct supervisor *s) {
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
  /* Node reads as slowly as its client does, and may still be writing to a terminal that somebody outside the tree holds. */
  while (s->relay_fd >= 0 && !s->server_gone) wait_for_event(s, s->want_writable ? 50 : -1);
  if (s->killing || s->server_gone) leave(s);   /* what had to be forced is not built upon */
}
