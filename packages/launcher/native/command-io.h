/* What the command reads and writes: pipes, its terminal, and descriptors that are built from bytes. */
#ifndef CODEX_COMMAND_IO_H
#define CODEX_COMMAND_IO_H

#include "supervisor.h"

int make_pipes(struct supervisor *s);   /* 0 or an errno */
void close_pipes(struct supervisor *s);
int open_terminal(struct supervisor *s);   /* the terminal end, or -1 with errno */
void resize(struct supervisor *s, uint32_t rows, uint32_t cols);

/* Bytes that the command gets as a file: memory only, read from the start, sealed against change. 0 or an errno. */
int open_data_grants(struct spec *spec);

#endif
