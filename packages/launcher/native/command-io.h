/* What the command reads and writes: pipes, its terminal, and descriptors that are built from bytes. */
#ifndef CODEX_COMMAND_IO_H
#define CODEX_COMMAND_IO_H

#include "supervisor.h"

int make_pipes(struct supervisor *s);   /* 0 or an errno */
void close_pipes(struct supervisor *s);
int open_terminal(struct supervisor *s);   /* the terminal end, or -1 with errno */
void resize(struct supervisor *s, uint32_t rows, uint32_t cols);

/* Gives every grant that has none its descriptor. 0 or an errno. */
int make_grants(struct supervisor *s);

/* What the command has written to its report by now, as much as there is room for, without waiting. */
size_t read_report(struct supervisor *s, void *into, size_t room);

#endif
