/* A supervisor before its command runs: reads the launch record, makes what the command gets, and starts it. */
#define _GNU_SOURCE
#include "command/child.h"
#include "io.h"
#include "process-stat.h"
#include "supervisor.h"
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* A server that is gone here has left nothing to tell and nothing to end. */
static void take(const struct link *link, void *into, size_t length) {
  if (read_fully(SERVER_FD, link->lifeline_fd, into, length) != 0) _exit(0);
}

static void skip(const struct link *link, uint32_t length) {
  char ignored[4096];
  for (uint32_t part; length > 0; length -= part) {
    part = length < sizeof ignored ? length : (uint32_t)sizeof ignored;
    take(link, ignored, part);
  }
}

/* The first word tells a launch record from an order that Node sent before it knew that the tree is gone: those are
   skipped, the one that was cut off included. Anything else comes from a launcher of another version. */
static int read_header(struct link *link, uint32_t *length) {
  union { struct order order; struct { uint32_t magic, length; } record; char bytes[sizeof(struct order)]; } head;
  size_t have = link->orders_length;
  memcpy(head.bytes, link->orders, have);   /* less than one order, see next_order */
  for (;; have = 0) {
    if (have < sizeof head.record) take(link, head.bytes + have, sizeof head.record - have);
    if (head.record.magic == SPEC_MAGIC) break;
    if (head.order.type < ORDER_OPENED || head.order.type >= ORDER_END) return EPROTO;
    if (have < sizeof head.record) have = sizeof head.record;
    take(link, head.bytes + have, sizeof head.order - have);
    if (head.order.type != ORDER_BYTES) continue;
    skip(link, head.order.a);
    skip(link, head.order.b);
  }
  *length = head.record.length;
  return *length > SPEC_MAX_BYTES ? EPROTO : 0;
}

static uint8_t *read_spec(struct supervisor *s, uint32_t *length, int *error) {
  if ((*error = read_header(&s->link, length)) != 0) return NULL;
  uint8_t *body = malloc(*length + 1);
  if (body == NULL) { *error = ENOMEM; return NULL; }
  take(&s->link, body, *length);
  *error = spec_parse(body, *length, &s->spec);
  return body;
}

/* Whatever the server's own parent leaked into it must not reach a command; what is left closes on exec. */
static void close_leaks(const struct spec *spec) {
  unsigned first = SERVER_FD + spec->inherited_fds;
  close_from(first);
  for (int fd = SERVER_FD; fd < (int)first; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static _Noreturn void give_up(struct supervisor *s, int stage, int error) {
  send_status(&s->link, (struct status){ STATUS_FAILED, (uint32_t)stage, (uint32_t)error, 0, 0 });
  leave(&s->link);
}

/* In one piece, because Node needs our identity before it opens our ends of the pipes. It has those that have no number here. */
static void tell_started(struct supervisor *s) {
  uint64_t start_time = s->start_time;
  const int *fds = s->io.pipe_fds;
  struct status statuses[2] = {
    { STATUS_SUPERVISOR, (uint32_t)getpid(), (uint32_t)start_time, (uint32_t)(start_time >> 32), 0 },
    { STATUS_STARTED, (uint32_t)s->command, (uint32_t)fds[1], (uint32_t)fds[2], (uint32_t)fds[4] },
  };
  send_bytes(&s->link, statuses, sizeof statuses);
}

static void start(struct supervisor *s) {
  struct child_job job = { .spec = &s->spec, .supervisor = getpid(), .stdio = { -1, -1, -1 } };
  int error = make_grants(&s->io, &s->spec);
  if (error != 0) give_up(s, STAGE_IO, error);
  int peer = -1;
  if (s->spec.flags & FLAG_PTY) {
    job.is_pty = 1;
    if ((peer = open_terminal(&s->io, &s->spec)) < 0) give_up(s, STAGE_PTY, errno);
    for (int i = 0; i < 3; i++) job.stdio[i] = peer;
    if ((error = relay_open(&s->io.relay, s->io.relay.pty_fd, wide_pipe_bytes(&s->spec), &s->io.pipe_fds[2])) != 0) give_up(s, STAGE_IO, error);
    if ((error = keys_open(&s->io.keys, &s->io.pipe_fds[1])) != 0) give_up(s, STAGE_IO, error);
  } else {
    if ((error = make_pipes(&s->io, &s->spec)) != 0) give_up(s, STAGE_IO, error);
    job.stdio[0] = s->io.pipe_fds[0];
    job.stdio[1] = s->io.pipe_fds[3];
    job.stdio[2] = s->io.pipe_fds[5];
  }
  if ((error = kept_take(&s->kept, s->spec.kept_mounts, s->spec.kept_mounts_length)) != 0) give_up(s, STAGE_SPEC, error);
  s->command = child_start(&job);
  if (s->command < 0) give_up(s, job.stage, job.error);
  if (s->is_handed_over) close_pipes(&s->io);
  if (peer >= 0) close(peer);   /* the terminal hangs up when the tree has closed it, not when we do */
  for (uint32_t i = 0; i < s->spec.grant_count; i++)
    if (s->spec.grants[i].source > SERVER_FD) close(s->spec.grants[i].source);
  s->kept.settled_fd = s->io.settled_fd;
  tell_started(s);
}

static int watch_children(void) {
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGCHLD);
  return signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* What is kept from one command to the next: the first descriptors above what Node gave us, the last of them signal_fd. */
static void open_kept(struct supervisor *s) {
  int error = tree_open();
  if (error != 0) give_up(s, STAGE_SPEC, error);
  s->signal_fd = watch_children();
  if (s->signal_fd < 0) give_up(s, STAGE_SPEC, errno);
}

/* The pipes that were made before the record came are for a command that only prints. Any other gets pipes of its own. Returns
   whether Node has nothing to open. */
static int take_ahead(struct supervisor *s) {
  int fits = s->ahead_fds[0] >= 0 && !(s->spec.flags & (FLAG_PTY | FLAG_STDIN_OPEN));
  for (int i = 0; i < 2; i++) {
    if (fits) s->io.pipe_fds[2 * i + 3] = s->ahead_fds[i];
    else if (s->ahead_fds[i] >= 0) close(s->ahead_fds[i]);
    s->ahead_fds[i] = -1;
  }
  return fits;
}

/* One command from its record to its end. Node sends another record only to a supervisor that its last command could not
   reach (src/native/nursery/waiting-supervisors.ts); what belongs to one command is made here and gone at the end. */
static void serve(struct supervisor *s) {
  s->command = -1;
  s->is_command_reaped = 0;
  io_clear(&s->io);
  kept_clear(&s->kept);

  int error = 0;
  uint32_t length = 0;
  uint8_t *body = read_spec(s, &length, &error);
  s->link.orders_length = 0;
  if (error != 0) give_up(s, STAGE_SPEC, error);
  if (!lifeline_holds(&s->link)) _exit(0);
  if (s->signal_fd < 0) {
    close_leaks(&s->spec);
    open_kept(s);
  }
  s->is_handed_over = take_ahead(s);
  if (!s->is_handed_over) prctl(PR_SET_DUMPABLE, 1);   /* Node opens the pipes through /proc, and says when it has */
  start(s);
  explicit_bzero(body, length);   /* arguments and environment are the command's business alone from here on */
  free(body);
  supervise(s);
  spec_free(&s->spec);
  close_from((unsigned)s->signal_fd + 1);
}

_Noreturn void serve_launches(struct supervisor *s) {
  /* As much as possible before the record comes: no launch waits for us yet. Only Node, when it has started us, can have given us
     more than the link, and the record says how much. */
  s->start_time = process_start_time(getpid());
  s->signal_fd = -1;
  if (s->link.lifeline_fd >= 0) open_kept(s);
  for (;;) serve(s);
}
