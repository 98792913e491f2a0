#ifndef CODEX_COMPLAIN_H
#define CODEX_COMPLAIN_H

/* Writes these strings, the last followed by NULL, and the end of a line to stderr: in one write, so that the sentences of several processes
   do not mix. */
__attribute__((sentinel)) void complain(const char *first, ...);

#endif
