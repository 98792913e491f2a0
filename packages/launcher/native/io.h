/* Descriptors: reading, waiting and closing, for all parts of the program. */
#ifndef CODEX_IO_H
#define CODEX_IO_H

#include <stddef.h>

/* The descriptor that Node gave us to talk to it: a socket, or, for a supervisor from the nursery, the pipe of its orders. */
enum { SERVER_FD = 3 };

/* 0 when `fd` is ready, -1 when the lifeline has hung up, or when there is no way to wait. A lifeline of -1 is none. */
int wait_beside(int fd, short events, int lifeline_fd);

/* 0, or -1 at the end, on an error, or when the lifeline hangs up while there is nothing to read; -1 for none. */
int read_fully(int fd, int lifeline_fd, void *into, size_t length);

void close_from(unsigned first);

/* Closes all but the standard streams and these, which are put in order. */
void close_all_but(int *kept, size_t count);

/* From now on the kernel sends us SIGCONT when something can be read from `fd`, and when its other end is closed: an order,
   or the end of the server, reaches a process that a command has stopped. */
void wake_on_input(int fd);

#endif
