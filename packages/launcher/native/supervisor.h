/* One supervisor: a process that starts a command, stays beside it, and ends its tree. */
#ifndef CODEX_SUPERVISOR_H
#define CODEX_SUPERVISOR_H

#include "command/command-io.h"
#include "link.h"
#include "command/kept-mounts.h"
#include "command/spec.h"

struct supervisor {
  struct link link;
  struct spec spec;
  struct command_io io;
  struct kept_mounts kept;
  int ahead_fds[2];             /* what the first command prints to, stdout and stderr; -1 when they are not there (any more) */
  uint64_t start_time;       /* with the pid it names this process for as long as the machine runs */
  pid_t command;             /* its session and group number too */
  int is_command_reaped;
  int is_handed_over;           /* Node has opened its ends of the pipes */
  int is_killing;
  int signal_fd;             /* tells of children that have ended */
};

/* Serves one launch after the other until the server lets go or a tree had to be forced to its end. The link is set up. */
_Noreturn void serve_launches(struct supervisor *s);

/* From the start of the command to the end of its last descendant and of a terminal's output. Returns when Node may send
   the next launch record. */
void supervise(struct supervisor *s);

#endif
