/* The parent of supervisors, which does what a supervisor cannot do any more when its command has turned against it. */
#ifndef CODEX_GUARDIAN_H
#define CODEX_GUARDIAN_H

#include <sys/types.h>

/* Makes this process one. All signals are blocked before. */
void guardian_begin(void);

/* A supervisor-to-be: its pid in the guardian, 0 in the child, -1 with errno. */
pid_t guardian_fork(void);

/* Opens what a guardian keeps; to be called when the descriptors of the supervisors are closed. */
void guardian_settle(void);

/* Wakes supervisors that are stopped, and ends what is to end. `is_last`: no more will be forked, so that the process ends
   with its last child. `has_hung_up`: the server is gone, as far as the caller knows. */
void guardian_look(int is_last, int has_hung_up);

/* Until something happens, or it is time to look again. */
void guardian_wait(void);

#endif
