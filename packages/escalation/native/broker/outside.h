/* The program that runs outside of the sandbox: everything between clone and exec. */
#ifndef CODEX_OUTSIDE_H
#define CODEX_OUTSIDE_H

#include "asker.h"
#include "../wire/messages.h"

struct outside {
  const char *path;            /* by which it is executed where its descriptor will not do: a script is told it */
  int exec_fd, is_elf, folder_fd;
  const char *shell;           /* that runs it where the kernel does not know its format; NULL: nothing does */
  const char **argv, **envp;
  char **shell_argv;           /* made from these by outside_start() */
  const struct asker_traits *traits;
  const int *fds;              /* received, close-on-exec, in the order of `targets` */
  const struct fds_message *targets;
  pid_t minder;
  const char *failed_at;       /* set by the child when it fails; we share its memory until exec */
  int error;
};

/* No higher than ours, and only what differs from ours is left to be set: whoever is to start the program calls it ahead of time. */
void outside_limits(struct asker_traits *traits);

/* The pid, or -1 with failed_at and error. */
pid_t outside_start(struct outside *outside);

#endif
