/* Finding and ending every descendant of this process. */
#ifndef CODEX_TREE_H
#define CODEX_TREE_H

#include <sys/types.h>

/* One round: freeze what is found until nothing new appears, then SIGKILL all of it. The caller reaps, waits a little
   and calls again while it still has children. */
void tree_kill_round(void);

/* Sends `signal` to each descendant; `group` > 0 keeps to members of that process group, `except` is left out. */
void tree_signal(int signal, pid_t group, pid_t except);

#endif
