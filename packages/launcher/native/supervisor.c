/* Beside a running command: reaps, obeys the server, tells it what happens, and ends the tree when asked to or when the
   server is gone. */
#define _GNU_SOURCE
#include "supervisor.h"
#include "tree.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Twins in src/native/codec/order-codec.ts. */
enum { SCOPE_COMMAND = 0, SCOPE_GROUP, SCOPE_DESCENDANTS };

enum { MAX_REPORT = 4096 };   /* of what the command reports, the first part; twin in src/native/codec/status-codec.ts */

/* Before the exit itself, and in one piece with it: Node is woken once. Returns how much of `into` is used. */
static size_t take_report(struct supervisor *s, char *into) {
  if (s->io.report_fd < 0) return 0;
  struct status status = { STATUS_REPORT, (uint32_t)read_report(&s->io, into + sizeof status, MAX_REPORT), 0, 0, 0 };
  memcpy(into, &status, sizeof status);
  close(s->io.report_fd);
  s->io.report_fd = -1;
  return sizeof status + status.a;
}

static void reap_hook(void *context);

/* Whose child the first process of the sandbox is. It can outlive its wrapper, which on a terminal is within its reach (`kill 0`), and
   comes to us then. */
static pid_t parent_of_sandbox(const struct supervisor *s) { return s->is_command_reaped ? getpid() : s->command; }

/* In this order: the sandbox dies with its first process, which the kernel sees to while we go through the tree. */
static void stop_sandbox(struct supervisor *s, const char *lost) {
  kept_kill_first(&s->kept, parent_of_sandbox(s));
  s->is_killing = 1;
  size_t length = strlen(lost);
  if (length > MAX_REPORT) length = MAX_REPORT;
  struct status status = { STATUS_MOUNT_LOST, (uint32_t)length, 0, 0, 0 };
  hold_bytes(&s->link, &status, sizeof status);
  hold_bytes(&s->link, lost, length);   /* ahead of the exit, which may be reaped from here on */
  tree_kill_round(&(struct tree_hooks){ .reap = reap_hook, .context = s });
}

static void look_at_mounts(struct supervisor *s) {
  const char *lost = s->is_killing ? NULL : kept_look(&s->kept, parent_of_sandbox(s));
  if (lost != NULL) stop_sandbox(s, lost);
}

static void tell_exit(struct supervisor *s, int status) {
  s->is_command_reaped = 1;
  if (s->kept.is_due || kept_is_due(&s->kept)) look_at_mounts(s);   /* what it did last, it may have done uncovered */
  char statuses[MAX_REPORT + 2 * sizeof(struct status)];
  size_t length = take_report(s, statuses);
  uint32_t rest_follows = (uint32_t)relay_rest(&s->io.relay);
  uint32_t code = WIFEXITED(status) ? (uint32_t)WEXITSTATUS(status) : 0;
  uint32_t number = WIFSIGNALED(status) ? (uint32_t)WTERMSIG(status) : 0;
  memcpy(statuses + length, &(struct status){ STATUS_EXITED, code, number, rest_follows, 0 }, sizeof(struct status));
  hold_bytes(&s->link, statuses, length + sizeof(struct status));   /* that the tree is gone mostly follows at once */
}

/* Returns 1 while children are left. Orphans come to us, so no children means no descendants. */
static int reap(struct supervisor *s) {
  for (;;) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) return 0;
    if (pid == 0) return 1;
    if (pid == s->command && !s->is_command_reaped) tell_exit(s, status);
  }
}

static void reap_hook(void *context) { reap(context); }

static void send_signal(struct supervisor *s, uint32_t scope, int number) {
  if (number < 1 || number >= NSIG) return;
  if (scope == SCOPE_DESCENDANTS) tree_signal(number, 0, s->command);
  else if (s->is_command_reaped) { if (scope == SCOPE_GROUP) tree_signal(number, s->command, 0); }   /* the pid may be another process by then */
  else kill(scope == SCOPE_GROUP ? -s->command : s->command, number);
}

/* What a command that is started already waits for, and what is to be kept for it. It never goes on with less: without its bytes
   it ends. */
static void receive_later(struct supervisor *s, uint32_t length, uint32_t list) {
  size_t all = (size_t)length + list;
  char *bytes = length > SPEC_MAX_BYTES || list > SPEC_MAX_BYTES ? NULL : malloc(all + 1);
  if (bytes == NULL) { s->link.is_server_gone = 1; return; }   /* what follows cannot be told from orders any more */
  if (take_behind(&s->link, bytes, all) == 0 &&
      (kept_take(&s->kept, bytes + length, list) != 0 || hand_over_later(&s->io, bytes, length) != 0)) s->is_killing = 1;
  explicit_bzero(bytes, length);
  free(bytes);
}

static void obey(struct supervisor *s, struct order order) {
  switch (order.type) {
    case ORDER_OPENED:
      close_pipes(&s->io);
      s->is_handed_over = 1;
      /* From here on Node does not need /proc/<us>/fd: a command of the same user can neither look in nor attach. It can still
         send us SIGKILL (it then dies with us, see child.c, and what it started dies by our guardian) or SIGSTOP (our
         guardian wakes us). */
      prctl(PR_SET_DUMPABLE, 0);
      break;
    case ORDER_SIGNAL: send_signal(s, order.a, (int)order.b); break;
    case ORDER_KILL_TREE: s->is_killing = 1; break;
    case ORDER_RESIZE: resize(&s->io, order.a, order.b); break;
    case ORDER_PTY_CLOSED: close_terminal(&s->io); break;
    case ORDER_BYTES: receive_later(s, order.a, order.b); break;
    case ORDER_WAKE: look_at_mounts(s); break;   /* its arrival is the most of it */
    default: break;
  }
}

/* poll refuses to look at more descriptors than the limit says. No honest command sets its supervisor's limits: with the
   means to hear the server gone, the tree ends as if the server was. */
static void wait_without_descriptors(struct supervisor *s, int timeout) {
  s->link.is_server_gone = 1;
  if (timeout < 0) return;
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigtimedwait(&ended, NULL, &(struct timespec){ timeout / 1000, timeout % 1000 * 1000000L });
}

static void wait_for_event(struct supervisor *s, int timeout) {
  struct link *link = &s->link;
  send_held(link);
  struct pollfd polled[6] = { { s->signal_fd, POLLIN, 0 },
                              { link->is_server_gone ? -1 : SERVER_FD, POLLIN, 0 },
                              { link->is_server_gone ? -1 : link->lifeline_fd, 0, 0 },
                              keys_event(&s->io.keys, s->io.relay.pty_fd),
                              relay_event(&s->io.relay),
                              kept_event(&s->kept) };
  int ready = poll(polled, 6, timeout);
  if (ready < 0 && errno != EINTR) wait_without_descriptors(s, timeout);
  /* The kernel's wake-up of a terminal's writer is not to be trusted alone: what it has not taken is tried again. */
  if (ready == 0 && s->io.keys.length > 0) keys_pass(&s->io.keys, s->io.relay.pty_fd);
  if (ready <= 0) return;
  if (polled[5].revents != 0) look_at_mounts(s);   /* before anything else: each moment counts */
  if (polled[4].revents != 0 && relay_some(&s->io.relay)) send_status(link, (struct status){ STATUS_RELAYED, 0, 0, 0, 0 });
  if (s->io.relay.fd < 0) keys_end(&s->io.keys);   /* the terminal has ended */
  /* While output flows there is mostly nothing else, and looking closer would cost a call for each 4 KiB. */
  if ((polled[0].revents | polled[1].revents | polled[2].revents | polled[3].revents) == 0) return;
  struct signalfd_siginfo drained;
  while (polled[0].revents != 0 && read(s->signal_fd, &drained, sizeof drained) > 0) {}
  /* The orders are a pipe that others can have opened through /proc while Node could: their end alone is not enough. */
  if (polled[2].revents != 0) link->is_server_gone = 1;
  if (polled[1].revents != 0) {
    struct order order;
    receive_orders(link);
    while (next_order(link, &order)) obey(s, order);
  }
  /* After the orders: a new size counts for what is typed behind it. A terminal that no process has open takes everything
     unread; when the command has gone too, it stays unread. */
  if ((polled[3].revents & POLLHUP) && s->is_command_reaped) keys_end(&s->io.keys);
  else if (polled[3].revents != 0) keys_pass(&s->io.keys, s->io.relay.pty_fd);
}

enum { TRY_KEYS_AGAIN_MS = 50 };

static int patience(const struct supervisor *s) { return s->io.keys.length > 0 ? TRY_KEYS_AGAIN_MS : -1; }

void supervise(struct supervisor *s) {
  struct link *link = &s->link;
  const struct tree_hooks hooks = { .reap = reap_hook, .context = s };
  int pause = 1;   /* milliseconds between kill rounds */
  for (;;) {
    int has_children = reap(s);
    if (!has_children && (s->is_handed_over || link->is_server_gone)) break;
    if (link->is_server_gone) s->is_killing = 1;
    send_held(link);
    if (s->is_killing && has_children) {
      tree_kill_round(&hooks);
      if (reap(s) == 0) continue;
      wait_for_event(s, pause);
      if (pause < 250) pause *= 2;   /* exponential back-off: what does not die at once hangs in the kernel */
    } else {
      wait_for_event(s, patience(s));
    }
  }
  kept_close(&s->kept);   /* what the host wants to remove is no mount point any more when it is told */
  send_status(link, (struct status){ STATUS_TREE_GONE, 0, 0, 0, 0 });
  /* Node reads as slowly as its client does, and may still be writing to a terminal that a process outside the tree holds. */
  while (s->io.relay.fd >= 0 && !link->is_server_gone) wait_for_event(s, patience(s));
  if (link->is_server_gone) relay_rest(&s->io.relay);   /* it may not be: we are then only deaf, and Node reads what is left */
  if (s->is_killing || link->is_server_gone) leave(link);   /* what had to be forced is not built upon */
}
