#ifndef CODEX_NUMBER_H
#define CODEX_NUMBER_H

/* Of digits and nothing else, up to INT_MAX; else -1. NULL is no number. */
int number_of(const char *text);

#endif
