/* One supervisor: what it knows of its command, and its talk with the server. Started by Node itself it has one socket for
   both directions, CONTROL_FD; from the nursery it has two pipes, of which CONTROL_FD is the one that orders come in on. */
#ifndef CODEX_SUPERVISOR_H
#define CODEX_SUPERVISOR_H

#include "spec.h"

enum { CONTROL_FD = 3, PTY_FD = 4 };
/* Twin in src/native/status-codec.ts. */
enum { STATUS_STARTED = 1, STATUS_FAILED, STATUS_EXITED, STATUS_TREE_GONE, STATUS_WRITABLE, STATUS_REPORT,
       STATUS_RELAYED };
struct status { uint32_t type, a, b, c, d; };   /* a STATUS_REPORT is followed by `a` bytes */

/* Twins in src/native/control-codec.ts. */
enum { CONTROL_OPENED = 1, CONTROL_SIGNAL, CONTROL_KILL_TREE, CONTROL_RESIZE, CONTROL_WANT_WRITABLE, CONTROL_PTY_CLOSED,
       CONTROL_WAKE, CONTROL_END };
struct control { uint32_t type, a, b; };

struct supervisor {
  struct spec spec;
  char orders[sizeof(struct control) * 64];   /* what Node has sent and nobody has obeyed yet */
  size_t orders_length;
  pid_t command;             /* its session and group number too */
  int command_reaped;
  int server_gone, killing;
  int handed_over;           /* Node has opened its ends of the pipes */
  int want_writable;
  int status_fd;             /* where reports go: CONTROL_FD, or the second pipe */
  int lifeline_fd;           /* hangs up when the server is gone; -1 when CONTROL_FD is that socket itself */
  int signal_fd;
  int pipe_fds[6];           /* stdin, stdout, stderr: read end, write end; -1 when not there */
  int pty_fd;
  int relay_fd;              /* where the terminal's output goes, see relay.c; -1 when there is none, or no more */
  int relay_full;            /* Node has to read before anything more can go */
  size_t relay_owed;         /* > 0: an exit was told, and STATUS_RELAYED follows after so many bytes or at an empty terminal */
  size_t relay_length;       /* of what was read and not written yet */
  char relay[4096];          /* as much as a terminal gives in one read, and as a pipe with room takes in one write */
  int report_fd;             /* what the command reports is read here; -1 when it has no such descriptor */
};

/* 0 when `fd` is ready, -1 when the server is gone. */
int wait_beside(int fd, short events, int lifeline_fd);

/* 0, or -1 at the end, on an error, or when the lifeline hangs up while there is nothing to read; -1 for none. */
int read_fully(int fd, int lifeline_fd, void *into, size_t length);
void close_from(unsigned first);

/* From now on the kernel sends us SIGCONT when something can be read from `fd`, and when its other end is closed: an order,
   or the end of the server, reaches a process that a command has stopped. */
void wake_on_input(int fd);

void report(struct supervisor *s, struct status status);

/* 0 when Node started us and is gone. One from the nursery knows by its orders and its lifeline. */
int parent_is_there(const struct supervisor *s);

/* Ends the process; the server reads the last report in any case. */
_Noreturn void leave(struct supervisor *s);

/* From the start of the command to the end of its last descendant and of a terminal's output. Returns when Node may send
   the next launch record. */
void supervise(struct supervisor *s);

#endif
