/* What the command reads and writes: pipes, its terminal, and descriptors that are built from bytes. */
#ifndef CODEX_COMMAND_IO_H
#define CODEX_COMMAND_IO_H

#include "relay.h"
#include "spec.h"

struct command_io {
  int pipe_fds[6];     /* stdin, stdout, stderr: read end, write end; -1 when not there */
  int report_fd;       /* what the command reports is read here; -1 when it has no such descriptor */
  int later_fd;        /* the file of bytes that come later, and the write end of its gate; -1 when there is none, or no more */
  int gate_fd;
  int settled_fd;      /* the write end of what the command closes when it has made its mounts; -1 when not there */
  struct relay relay;
  struct keys keys;
};

void io_clear(struct command_io *io);
int wide_pipe_bytes(const struct spec *spec);   /* for the pipes of its output; 0: as they are */
int make_pipes(struct command_io *io, const struct spec *spec);   /* those that are not there yet; 0 or an errno */
void close_pipes(struct command_io *io);
int open_terminal(struct command_io *io, const struct spec *spec);   /* the terminal end, or -1 with errno */
void close_terminal(struct command_io *io);
void resize(const struct command_io *io, uint32_t rows, uint32_t cols);

/* Gives every grant that has none its descriptor. 0 or an errno. */
int make_grants(struct command_io *io, struct spec *spec);

/* The bytes that the command waits for. 0 or an errno: it must not go on without them then. */
int hand_over_later(struct command_io *io, const void *bytes, size_t length);

/* What the command has written to its report by now, as much as there is room for, without waiting. */
size_t read_report(const struct command_io *io, void *into, size_t room);

#endif
