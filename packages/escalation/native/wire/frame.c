#define _GNU_SOURCE
#include "frame.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control { struct cmsghdr header; char bytes[CMSG_SPACE(sizeof(int) * MAX_FDS)]; };
/* Room for more than is allowed, so that too many are seen and not cut off. */
union roomy_control { struct cmsghdr header; char bytes[CMSG_SPACE(sizeof(int) * 256)]; };

static void attach(struct msghdr *message, union control *control, const int *fds, size_t count) {
  if (count == 0) return;
  memset(control, 0, sizeof *control);
  message->msg_control = control->bytes;
  message->msg_controllen = CMSG_SPACE(sizeof(int) * count);
  struct cmsghdr *header = CMSG_FIRSTHDR(message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int) * count);
  memcpy(CMSG_DATA(header), fds, sizeof(int) * count);
}

enum { MOST_PAUSES = 1000 };

/* The inherited socket may not block: another process can have set that. And the kernel lets a user have only so many descriptors
   under way (ETOOMANYREFS); whoever else sends many at this moment must not make an exec fail that has nothing to do with them. Some
   ten seconds: where somebody never takes them, it fails. */
static ssize_t send_patiently(int fd, const struct msghdr *message) {
  for (int pauses = 0;;) {
    ssize_t sent = sendmsg(fd, message, MSG_NOSIGNAL);
    if (sent >= 0) return sent;
    if (errno == EINTR) continue;
    if (errno == ETOOMANYREFS && pauses++ < MOST_PAUSES) { poll(NULL, 0, 10); continue; }
    if (errno != EAGAIN) return -1;
    struct pollfd polled = { fd, POLLOUT, 0 };
    poll(&polled, 1, -1);
  }
}

void frame_begin(struct outgoing *outgoing, const char *payload, size_t length) {
  *outgoing = (struct outgoing){ (uint32_t)length, payload, length, 0 };
}

static int push(int fd, struct outgoing *outgoing, int is_patient, const int *fds, size_t fd_count) {
  union control control;
  if (outgoing->length > MAX_FRAME) return EMSGSIZE;
  while (outgoing->sent < sizeof outgoing->header + outgoing->length) {
    size_t of_header = outgoing->sent < sizeof outgoing->header ? outgoing->sent : sizeof outgoing->header;
    size_t of_payload = outgoing->sent - of_header;
    struct iovec parts[2] = { { (char *)&outgoing->header + of_header, sizeof outgoing->header - of_header },
                              { (char *)(uintptr_t)outgoing->payload + of_payload, outgoing->length - of_payload } };
    struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
    if (outgoing->sent == 0) attach(&message, &control, fds, fd_count);
    ssize_t sent = is_patient ? send_patiently(fd, &message) : sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && !is_patient && (errno == EAGAIN || errno == EINTR)) return 0;
    if (sent < 0) return errno;
    outgoing->sent += (size_t)sent;
  }
  return 0;
}

int frame_push(int fd, struct outgoing *outgoing, int is_patient) { return push(fd, outgoing, is_patient, NULL, 0); }

int frame_send(int fd, const char *payload, size_t length, const int *fds, size_t fd_count) {
  struct outgoing outgoing;
  frame_begin(&outgoing, payload, length);
  return push(fd, &outgoing, 1, fds, fd_count);
}

static void keep_descriptors(struct msghdr *message, int *fds, size_t *fd_count) {
  for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL; header = CMSG_NXTHDR(message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
      int fd;
      memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
      if (fds != NULL && *fd_count < MAX_FDS) fds[*fd_count] = fd;
      else close(fd);
      ++*fd_count;
    }
  }
}

ssize_t receive_block(int fd, void *into, size_t length, int flags, int *fds, size_t *fd_count) {
  struct iovec part = { into, length };
  union roomy_control control;
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control };
  ssize_t got;
  while ((got = recvmsg(fd, &message, flags | MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
  if (got >= 0) keep_descriptors(&message, fds, fd_count);
  return got;
}

int receive_fully(int fd, void *into, size_t length) {
  for (char *at = into; length > 0;) {
    size_t ignored = 0;
    ssize_t got = receive_block(fd, at, length, 0, NULL, &ignored);
    if (got < 0) return errno;
    if (got == 0) return EPIPE;
    at += got;
    length -= (size_t)got;
  }
  return 0;
}

char *frame_receive(int fd, uint32_t limit, size_t *length) {
  uint32_t header;
  if ((errno = receive_fully(fd, &header, sizeof header)) != 0) return NULL;
  if (header > limit) { errno = EMSGSIZE; return NULL; }
  char *payload = malloc((size_t)header + 1);
  if (payload == NULL) return NULL;
  int error = receive_fully(fd, payload, header);
  if (error != 0) { free(payload); errno = error; return NULL; }
  payload[header] = '\0';
  *length = header;
  return payload;
}

int announce(int socket_fd, int stream_fd) {
  char byte = 0;
  struct iovec part = { &byte, 1 };
  union control control;
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
  attach(&message, &control, &stream_fd, 1);
  return send_patiently(socket_fd, &message) == 1 ? 0 : errno;
}
