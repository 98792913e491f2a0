/* A child-subreaper of its own, so that whatever the program leaves (daemons included) is found below it. The tree ends when the
   program does, when the asking process ends (its stream hangs up, or its handle says so), and when the broker lets go or is gone.
   Should something kill the minder itself, the program dies with it, and what that has started comes to the broker. */
#define _GNU_SOURCE
#include "minder.h"
#include "io.h"
#include "outside.h"
#include "state.h"
#include "tree.h"
#include "../wire/frame.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_COMMAND_FRAME = 4096, HANDOVER_MS = 5000 };

struct minder {
  const struct session *session;
  struct asker_traits traits;
  int traits_error;
  int link_fd, signal_fd;
  pid_t program;
  int is_over, status;                   /* the program has ended */
  char frame[MAX_COMMAND_FRAME + 4];     /* what has come of the next frame */
  size_t have;
  int fds[MAX_FDS];
  size_t fd_count;
};

static _Noreturn void report(struct minder *minder, struct minder_report report) {
  send(minder->link_fd, &report, sizeof report, MSG_NOSIGNAL);
  _exit(0);
}

static void answer_exit(const struct minder *minder, int code) {
  char json[40];
  snprintf(json, sizeof json, "{\"exit_code\":%d}", code);
  session_answer(minder->session, json);
}

static void reap(struct minder *minder) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0 || (pid < 0 && errno == EINTR)) {
    if (pid != minder->program || minder->is_over) continue;
    minder->is_over = 1;
    minder->status = status;
  }
}

static void reap_hook(void *context) { reap(context); }

static void end_tree(struct minder *minder) {
  const struct tree_hooks hooks = { .reap = reap_hook, .context = minder };
  for (int pause = 1; tree_kill_round(&hooks) > 0; pause = pause < 250 ? pause * 2 : pause) {
    reap(minder);
    poll(NULL, 0, pause / 2);
  }
}

/* Reads into the frame buffer; 1 when a whole frame stands there, 0 when not yet, -1 at the end or for what is no frame. */
static int read_frame(struct minder *minder, uint32_t *length) {
  memcpy(length, minder->frame, sizeof *length);
  if (minder->have >= sizeof *length && minder->have - sizeof *length >= *length) return 1;
  ssize_t got = receive_block(minder->session->fd, minder->frame + minder->have, sizeof minder->frame - minder->have,
                              MSG_DONTWAIT, minder->program > 0 ? NULL : minder->fds, &minder->fd_count);
  if (got < 0 && errno == EAGAIN) return 0;
  if (got <= 0) return -1;
  minder->have += (size_t)got;
  memcpy(length, minder->frame, sizeof *length);
  if (minder->have < sizeof *length) return 0;
  if (*length > MAX_COMMAND_FRAME) return -1;
  return minder->have - sizeof *length >= *length;
}

static void drop_frame(struct minder *minder, uint32_t length) {
  minder->have -= sizeof length + length;
  memmove(minder->frame, minder->frame + sizeof length + length, minder->have);
}

/* 0 when something came on the stream, -1 when the asking process or the broker has gone. */
static int wait_for(struct minder *minder, int timeout) {
  struct pollfd polled[4] = { { minder->session->fd, POLLIN, 0 },
                              { minder->session->asker.pidfd, POLLIN, 0 },
                              { minder->link_fd, POLLIN, 0 },
                              { minder->signal_fd, POLLIN, 0 } };
  int ready = poll(polled, 4, timeout);
  if (ready < 0 && errno == EINTR) return 0;
  if (ready <= 0) return -1;
  struct signalfd_siginfo drained;
  while (polled[3].revents != 0 && read(minder->signal_fd, &drained, sizeof drained) > 0) {}
  return polled[1].revents != 0 || polled[2].revents != 0 ? -1 : 0;
}

/* The descriptors that the program is to have. Sent bit by bit they would put off what was decided now, for as long as one likes. */
static int receive_handover(struct minder *minder, struct fds_message *targets) {
  uint32_t length;
  int state;
  int64_t left, deadline = now_ms() + HANDOVER_MS;
  while ((state = read_frame(minder, &length)) == 0)
    if ((left = deadline - now_ms()) <= 0 || wait_for(minder, (int)left) != 0) return EPIPE;
  if (state < 0) return EPIPE;
  int error = fds_message_parse(minder->frame + sizeof length, length, targets);
  drop_frame(minder, length);
  return error != 0 ? error : targets->count == minder->fd_count ? 0 : EPROTO;
}

static int is_connection(int fd) {
  int domain;
  socklen_t size = sizeof domain;
  return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain != AF_UNIX;
}

/* Connections of the sandboxed side stay behind, like what closes on exec: a server admits the process that holds its connection outside of
   every sandbox (listener/src/gate). Returns -1 when one is to be the program's input or output, which it could not do without. */
static int leave_connections(struct minder *minder, struct fds_message *targets) {
  size_t kept = 0;
  int is_needed = 0;
  for (size_t i = 0; i < targets->count; i++) {
    if (is_connection(minder->fds[i])) {
      is_needed |= targets->targets[i] < 3;
      close(minder->fds[i]);
      continue;
    }
    minder->fds[kept] = minder->fds[i];
    targets->targets[kept++] = targets->targets[i];
  }
  targets->count = minder->fd_count = kept;
  return is_needed ? -1 : 0;
}

/* On the stderr that the program would have had. */
static void complain(const struct minder *minder, const struct fds_message *targets, const char *sentence) {
  for (size_t i = 0; i < targets->count; i++)
    if (targets->targets[i] == 2) dprintf(minder->fds[i], "codex-execve-wrapper: %s\n", sentence);
}

static _Noreturn void give_up(struct minder *minder, const struct fds_message *targets, struct minder_report told) {
  complain(minder, targets, told.error);
  answer_exit(minder, (int)told.code);
  report(minder, told);
}

/* What the server has decided. */
struct go_ahead { const char **envp; uint32_t is_as_called; };

static void start(struct minder *minder, const struct go_ahead *go_ahead) {
  const struct session *session = minder->session;
  const struct program *program = session->program;
  struct fds_message targets = { .count = 0 };
  struct minder_report told = { .code = EXIT_CANNOT };
  int error = receive_handover(minder, &targets);
  if (error != 0) {
    snprintf(told.error, sizeof told.error, "the descriptors did not come: %s", strerror(error));
    told.is_abandoned = error == EPIPE;
    give_up(minder, &(struct fds_message){ .count = 0 }, told);
  }
  if (leave_connections(minder, &targets) != 0) {
    snprintf(told.error, sizeof told.error, "cannot run %.128s outside of the sandbox: a connection of the sandbox is its input or output",
             program->files[0]->real_path);
    give_up(minder, &targets, told);
  }
  if (minder->traits_error != 0) {
    snprintf(told.error, sizeof told.error, "the asking process cannot be looked at: %s", strerror(minder->traits_error));
    give_up(minder, &targets, told);
  }
  const char *real_path = program->files[0]->real_path;
  struct outside outside = { .path = go_ahead->is_as_called ? session->message.file : real_path, .exec_fd = program->exec_fd, .is_elf = program->is_elf,
                             .folder_fd = program->folder_fd, .shell = program->is_plain_text ? PLAIN_TEXT_SHELL : NULL, .argv = session->message.argv, .envp = go_ahead->envp, .traits = &minder->traits,
                             .fds = minder->fds, .targets = &targets, .minder = getpid() };
  minder->program = outside_start(&outside);
  if (minder->program >= 0) {
    for (size_t i = 0; i < minder->fd_count; i++) close(minder->fds[i]);   /* ends of pipes are to be seen */
    return;
  }
  told.code = strcmp(outside.failed_at, "program") == 0 && outside.error == ENOENT ? EXIT_MISSING : EXIT_CANNOT;
  snprintf(told.error, sizeof told.error, "cannot run %.128s outside of the sandbox: %s: %s", real_path, outside.failed_at,
           strerror(outside.error));
  give_up(minder, &targets, told);
}

/* After the handover only signals come. -1 when the stream has ended, or makes no sense. */
static int take_signals(struct minder *minder) {
  uint32_t length;
  int state;
  while ((state = read_frame(minder, &length)) == 1) {
    long number = 0;
    if (number_message_parse(minder->frame + sizeof length, length, "signal", &number) != 0) return -1;
    drop_frame(minder, length);
    kill(minder->program, (int)number);   /* ours until it is reaped, and what is no signal is refused */
  }
  return state;
}

struct go_header { uint32_t length, is_as_called; };

/* Waits for the word to go on: a header, and the strings of the environment, each with a NUL. -1: there is none, because the decision was
   another one, or nobody is there to make it. */
static int receive_go_ahead(int link_fd, struct go_ahead *out) {
  struct go_header header;
  size_t count = 0;
  if (receive_fully(link_fd, &header, sizeof header) != 0) return -1;
  char *strings = malloc((size_t)header.length + 1);
  if (strings == NULL || receive_fully(link_fd, strings, header.length) != 0) return -1;
  for (uint32_t i = 0; i < header.length; i++) count += strings[i] == '\0';
  const char **envp = calloc(count + 1, sizeof *envp);   /* kept, like the strings, as long as the process lives */
  if (envp == NULL) return -1;
  for (size_t i = 0; i < count; strings += strlen(strings) + 1) envp[i++] = strings;
  *out = (struct go_ahead){ envp, header.is_as_called };
  return 0;
}

static _Noreturn void mind(struct minder *minder) {
  struct minder_report told = { 0 };
  minder->traits_error = asker_traits(&minder->session->asker, &minder->traits);
  if (minder->traits_error == 0) outside_limits(&minder->traits);
  struct go_ahead go_ahead;
  if (receive_go_ahead(minder->link_fd, &go_ahead) != 0) _exit(0);
  start(minder, &go_ahead);
  for (;;) {
    reap(minder);
    if (minder->is_over) break;
    if (wait_for(minder, -1) == 0 && take_signals(minder) == 0) continue;
    reap(minder);
    told.is_abandoned = !minder->is_over;
    break;
  }
  int status = minder->status;
  if (!told.is_abandoned) {
    told.code = (uint32_t)(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
    answer_exit(minder, (int)told.code);
  }
  end_tree(minder);
  report(minder, told);
}

int minder_go(int link_fd, const char **envp, int is_as_called) {
  struct text strings = { 0 };
  struct go_header header = { .is_as_called = (uint32_t)is_as_called };
  text_add(&strings, (const char *)&header, sizeof header);
  for (; *envp != NULL; envp++) text_add(&strings, *envp, strlen(*envp) + 1);
  header.length = (uint32_t)(strings.length - sizeof header);
  int error = strings.has_failed ? ENOMEM : 0;
  if (error == 0) memcpy(strings.bytes, &header, sizeof header);
  for (size_t at = 0; error == 0 && at < strings.length;) {
    ssize_t sent = send(link_fd, strings.bytes + at, strings.length - at, MSG_NOSIGNAL);
    if (sent >= 0) at += (size_t)sent;
    else if (errno != EINTR) error = errno;
  }
  text_free(&strings);
  return error;
}

int minder_start(const struct session *session, pid_t *pid) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  *pid = fork();
  if (*pid != 0) {
    close(ends[1]);
    if (*pid > 0) return ends[0];
    close(ends[0]);
    return -1;
  }
  setsid();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int kept[] = { session->fd, session->asker.pidfd, ends[1], session->program->exec_fd, session->program->folder_fd };
  /* The other sessions' streams above all: their ends are to be seen when the broker is gone. */
  close_all_but(kept, sizeof kept / sizeof *kept);
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  static struct minder minder;
  minder = (struct minder){ .session = session, .link_fd = ends[1] };
  minder.signal_fd = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  if (minder.signal_fd < 0 || tree_open() != 0) _exit(1);
  mind(&minder);
}
