#define _GNU_SOURCE
#include "server-link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MAX_RECORD = 64 * 1024 * 1024 };

/* The door is an abstract name, which any process could have taken: only the server itself listens there for us. */
static int is_server(int fd, uint32_t server_pid) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid == (pid_t)server_pid && peer.uid == geteuid();
}

int link_connect(const struct config *config) {
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  size_t length = strlen(config->door);
  if (length == 0 || length + 1 > sizeof address.sun_path) { errno = EINVAL; return -1; }
  memcpy(address.sun_path + 1, config->door, length);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
  int error = connect(fd, (const struct sockaddr *)&address, size) != 0 ? errno : is_server(fd, config->server_pid) ? 0 : EPERM;
  if (error == 0) {
    struct text hello = tell_begin(TELL_HELLO);
    tell_string(&hello, config->token);
    const struct server_link link = { .fd = fd };
    if (link_tell(&link, &hello) != 0) error = errno;
  }
  if (error == 0) return fd;
  close(fd);
  errno = error;
  return -1;
}

struct text tell_begin(uint32_t type) {
  struct text record = { 0 };
  text_add_u32(&record, 0);   /* the length, in link_tell() */
  text_add_u32(&record, type);
  return record;
}

void tell_string(struct text *record, const char *string) {
  size_t length = strlen(string);
  text_add_u32(record, (uint32_t)length);
  text_add(record, string, length);
}

int link_tell(const struct server_link *link, struct text *record) {
  int result = record->has_failed ? -1 : 0;
  uint32_t length = (uint32_t)(record->length - sizeof length);
  if (result == 0) memcpy(record->bytes, &length, sizeof length);
  for (size_t at = 0; result == 0 && at < record->length;) {
    ssize_t sent = send(link->fd, record->bytes + at, record->length - at, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) result = -1;
    else at += (size_t)sent;
  }
  text_free(record);
  return result;
}

int link_receive(struct server_link *link) {
  if (link->room - link->length < 65536) {
    size_t room = link->room * 2 + 131072;
    char *grown = room > 2u * MAX_RECORD ? NULL : realloc(link->bytes, room);
    if (grown == NULL) return -1;
    link->bytes = grown;
    link->room = room;
  }
  ssize_t got = recv(link->fd, link->bytes + link->length, link->room - link->length, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  if (got <= 0) return -1;
  link->length += (size_t)got;
  return 0;
}

int link_next(struct server_link *link, uint32_t *type, struct reader *reader, size_t *taken) {
  uint32_t length;
  if (link->length - *taken < sizeof length) return 0;
  memcpy(&length, link->bytes + *taken, sizeof length);
  if (link->length - *taken - sizeof length < length) return 0;
  *reader = (struct reader){ link->bytes + *taken + sizeof length, link->bytes + *taken + sizeof length + length, 0 };
  *type = reader_u32(reader);
  *taken += sizeof length + length;
  return 1;
}

void link_drop(struct server_link *link, size_t taken) {
  link->length -= taken;
  memmove(link->bytes, link->bytes + taken, link->length);
}
