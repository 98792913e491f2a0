/* The loop of a broker. One thread, one poll; nothing that the sandboxed side does makes it wait. */
#define _GNU_SOURCE
#include "serve.h"
#include "state.h"
#include "tree.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_minder(void *context, pid_t pid) {
  const struct broker *broker = context;
  for (size_t i = 0; i < broker->minded_count; i++)
    if (broker->minded[i].pid == pid) return 1;
  for (size_t i = 0; i < broker->session_count; i++)
    if (broker->sessions[i]->minder_fd >= 0 && broker->sessions[i]->minder == pid) return 1;
  return 0;
}

/* A minder that ends by itself has ended its tree. After one that was killed, what it had is with us, and is ended. */
static void reap(void *context) {
  int status;
  pid_t pid;
  (void)context;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0 || (pid < 0 && errno == EINTR)) {}
}

static void end_strays(struct broker *broker) {
  const struct tree_hooks hooks = { .reap = reap, .is_spared = is_minder, .context = broker };
  for (int pause = 1; tree_kill_round(&hooks) > 0; pause = pause < 250 ? pause * 2 : pause) poll(NULL, 0, pause / 2);
}

static void tell_end(struct broker *broker, uint32_t id, const struct minder_report *report) {
  if (report->is_abandoned) { tell_abandoned(broker, id); return; }
  struct text record = tell_begin(TELL_EXITED);
  text_add_u32(&record, id);
  text_add_u32(&record, report->code);
  tell_string(&record, report->error);
  if (link_tell(&broker->link, &record) != 0) broker->is_ending = 1;
}

static void look_at_minder(struct broker *broker, size_t index) {
  struct minded minded = broker->minded[index];
  struct minder_report report = { 0 };
  ssize_t got = recv(minded.link_fd, &report, sizeof report, MSG_DONTWAIT);
  if (got < 0 && errno == EAGAIN) return;
  broker->minded[index] = broker->minded[--broker->minded_count];
  close(minded.link_fd);
  report.error[sizeof report.error - 1] = '\0';
  if (got == (ssize_t)sizeof report) { tell_end(broker, minded.id, &report); return; }
  struct minder_report lost = { .code = 128 + SIGKILL, .error = "the process beside it was killed" };
  end_strays(broker);
  tell_end(broker, minded.id, &lost);
}

static size_t list_polled(struct broker *broker, struct pollfd *polled) {
  size_t busy = broker->session_count + broker->minded_count, count = 0;
  int has_silent = 0;
  for (size_t i = 0; i < broker->session_count; i++) has_silent |= !broker->sessions[i]->is_waiting;
  int is_full = busy >= broker->config->max_sessions && !has_silent;
  polled[count++] = (struct pollfd){ broker->link.fd, POLLIN, 0 };
  polled[count++] = (struct pollfd){ is_full ? -1 : broker->shells_fd, POLLIN, 0 };
  polled[count++] = (struct pollfd){ broker->signal_fd, POLLIN, 0 };
  for (size_t i = 0; i < broker->minded_count; i++) polled[count++] = (struct pollfd){ broker->minded[i].link_fd, POLLIN, 0 };
  for (size_t i = 0; i < broker->session_count; i++) polled[count++] = (struct pollfd){ broker->sessions[i]->fd, POLLIN, 0 };
  return count;
}

/* Sessions and minders come and go while events are dealt with: each is looked up by its descriptor again. */
static void look_at(struct broker *broker, const struct pollfd *event) {
  for (size_t i = 0; i < broker->minded_count; i++)
    if (broker->minded[i].link_fd == event->fd) { look_at_minder(broker, i); return; }
  for (size_t i = 0; i < broker->session_count; i++)
    if (broker->sessions[i]->fd == event->fd) { look_at_session(broker, broker->sessions[i]); return; }
}

static _Noreturn void end(struct broker *broker) {
  while (broker->session_count > 0) drop_session(broker, broker->sessions[0]);
  for (size_t i = 0; i < broker->minded_count; i++) close(broker->minded[i].link_fd);   /* each ends its tree */
  for (int waited = 0; waited < 200 && waitpid(-1, NULL, WNOHANG) >= 0; waited++) poll(NULL, 0, 5);
  broker->minded_count = 0;
  end_strays(broker);
  struct text goodbye = tell_begin(TELL_GOODBYE);
  link_tell(&broker->link, &goodbye);
  _exit(0);
}

static int watch_children(void) {
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  return signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
}

_Noreturn void serve(const struct config *config, int server_fd, int shells_fd) {
  static struct broker broker;
  static struct config bounded;
  static struct pollfd polled[2 * MAX_SESSIONS + 3];
  bounded = *config;
  if (bounded.max_sessions > MAX_SESSIONS) bounded.max_sessions = MAX_SESSIONS;
  broker.config = &bounded;
  broker.link.fd = server_fd;
  broker.shells_fd = shells_fd;
  broker.signal_fd = watch_children();
  if (broker.signal_fd < 0 || tree_open() != 0) _exit(1);
  while (!broker.is_ending && (broker.shells_fd >= 0 || broker.session_count + broker.minded_count > 0)) {
    int timeout = drop_late_sessions(&broker);
    size_t count = list_polled(&broker, polled);
    if (poll(polled, count, timeout) < 0 && errno != EINTR) break;
    struct signalfd_siginfo drained;
    while (polled[2].revents != 0 && read(broker.signal_fd, &drained, sizeof drained) > 0) {}
    if (polled[2].revents != 0) reap(&broker);
    if (polled[0].revents != 0) take_decisions(&broker);
    for (size_t i = 3; i < count; i++)
      if (polled[i].revents != 0) look_at(&broker, &polled[i]);
    if (polled[1].revents != 0 && broker.shells_fd >= 0) accept_sessions(&broker);
  }
  end(&broker);
}
