/* A terminal's output on its way to Node, and what Node types on its way to the terminal. */
#ifndef CODEX_RELAY_H
#define CODEX_RELAY_H

#include <poll.h>
#include <stddef.h>

struct relay {
  int pty_fd;          /* the terminal's master; -1 when there is none, or no more */
  int fd;              /* the pipe that its output goes into; -1 when there is none, or no more */
  int is_full;         /* Node has to read before anything more can go */
  size_t owed;         /* > 0: an exit was told, and is confirmed after so many bytes or at an empty terminal */
  size_t most;         /* as much as the empty pipe takes in one write */
  size_t wanted;       /* of that, in one write: more after each time that as much came without a pause */
  size_t length;       /* of what was read and not written yet */
  char bytes[256 * 1024];   /* for the widest pipe; what nothing was written to takes no memory */
};

/* Node's way to the master: only one process can have it, and that is us. */
struct keys {
  int fd;              /* the pipe that Node writes to; -1 when there is none, or no more */
  size_t length;       /* of what the terminal has not taken yet: it is full */
  char bytes[4096];
};

/* 0, or an errno. `wide` is how much the pipe is to hold, 0 for an ordinary one. `*read_end` is for Node, which opens it as it does
   with a command's own pipes. */
int relay_open(struct relay *relay, int pty_fd, int wide, int *read_end);

/* The same for the other direction; `*write_end` is for Node. */
int keys_open(struct keys *keys, int *write_end);

/* What to wait for before keys_pass() has something to do. */
struct pollfd keys_event(const struct keys *keys, int pty_fd);

/* Passes on what was typed, as far as the terminal takes it. */
void keys_pass(struct keys *keys, int pty_fd);

/* What is typed from here on goes nowhere. */
void keys_end(struct keys *keys);

/* What to wait for before relay_some() has something to do. */
struct pollfd relay_event(const struct relay *relay);

/* Passes on what is there, up to a share that keeps orders from waiting. 1: what relay_rest() left over has gone now. */
int relay_some(struct relay *relay);

/* The command has ended: passes on what it wrote. 1 when the pipe is full before that is done; relay_some() says when it is. */
int relay_rest(struct relay *relay);

/* The pipe ends; the terminal stays. */
void relay_end(struct relay *relay);

#endif
