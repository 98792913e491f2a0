/* Finding and ending the descendants of this process. */
#ifndef CODEX_TREE_H
#define CODEX_TREE_H

#include <stddef.h>
#include <sys/types.h>

/* Keeps the list of our own children open: it is found again when no descriptor can be opened any more. 0 or an errno. In
   a forked child it has to be called again. */
int tree_open(void);

struct tree_hooks {
  void (*reap)(void *context);                       /* takes what has ended off the process table */
  int (*is_spared)(void *context, pid_t child);      /* of our own children; NULL: none is */
  void *context;
};

/* One round: freeze what is found until nothing new appears, then SIGKILL all of it. Reaps in between. Returns how many
   were found. The caller reaps, waits a little and calls again while it still has children. */
size_t tree_kill_round(const struct tree_hooks *hooks);

/* Sends `signal` to each descendant; `group` > 0 keeps to members of that process group, `except` is left out. */
void tree_signal(int signal, pid_t group, pid_t except);

#endif
