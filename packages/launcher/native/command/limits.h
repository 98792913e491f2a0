/* A command of the same user can change the limits of the nursery and of supervisors that wait (prlimit), and what they fork
   would inherit that. */
#ifndef CODEX_LIMITS_H
#define CODEX_LIMITS_H

/* At the start of the program: what it has now is what it got from the server. */
void limits_remember(void);

/* 1 while this process has the limits that were remembered. */
int limits_hold(void);

#endif
