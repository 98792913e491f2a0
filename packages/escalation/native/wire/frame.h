/* Frames of the wire: a length of four bytes, least significant first, and that many bytes of JSON. Descriptors ride with the
   first byte. Only sendmsg and recvmsg are used: a sandbox's filter may refuse their relatives. */
#ifndef CODEX_FRAME_H
#define CODEX_FRAME_H

#include "../names.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A frame on its way. */
struct outgoing { uint32_t header; const char *payload; size_t length, sent; };
void frame_begin(struct outgoing *outgoing, const char *payload, size_t length);
/* Sends what is taken at once, or with `is_patient` waits until all of it is. 0 or an errno. */
int frame_push(int fd, struct outgoing *outgoing, int is_patient);

/* Waits until all of it is taken. 0 or an errno. */
int frame_send(int fd, const char *payload, size_t length, const int *fds, size_t fd_count);

/* As recvmsg of one block: appends received descriptors to `fds` (close-on-exec), up to MAX_FDS in all; more are closed and counted,
   so that `*fd_count` > MAX_FDS tells. Returns what recvmsg does. */
ssize_t receive_block(int fd, void *into, size_t length, int flags, int *fds, size_t *fd_count);

/* Waits for all of it. 0 or an errno; EPIPE at the end of the stream. Descriptors that come along are closed. */
int receive_fully(int fd, void *into, size_t length);

/* Waits for a whole frame of at most `limit` bytes. Returns its payload, NUL-terminated and to be freed, or NULL with errno; EPIPE
   at the end of the stream. Descriptors that come along are closed. */
char *frame_receive(int fd, uint32_t limit, size_t *length);

/* One byte and one descriptor: how a new stream is announced. 0 or an errno. */
int announce(int socket_fd, int stream_fd);

#endif
