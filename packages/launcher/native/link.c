#define _GNU_SOURCE
#include "link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static void write_all(struct link *link, const void *bytes, size_t length) {
  const char *at = bytes;
  for (size_t left = length; left > 0 && !link->is_server_gone;) {
    ssize_t sent = write(link->status_fd, at, left);   /* SIGPIPE is blocked, as all are */
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN && wait_beside(link->status_fd, POLLOUT, link->lifeline_fd) == 0) continue;
    if (sent < 0) { link->is_server_gone = 1; return; }
    at += sent;
    left -= (size_t)sent;
  }
}

void hold_bytes(struct link *link, const void *bytes, size_t length) {
  if (length > sizeof link->held - link->held_length) send_held(link);
  memcpy(link->held + link->held_length, bytes, length);
  link->held_length += length;
}

void send_held(struct link *link) {
  if (link->held_length > 0) write_all(link, link->held, link->held_length);
  link->held_length = 0;
}

void send_bytes(struct link *link, const void *bytes, size_t length) {
  hold_bytes(link, bytes, length);
  send_held(link);
}

void send_status(struct link *link, struct status status) { send_bytes(link, &status, sizeof status); }

void receive_orders(struct link *link) {
  ssize_t got = read(SERVER_FD, link->orders + link->orders_length, sizeof link->orders - link->orders_length);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) { link->is_server_gone = 1; return; }
  link->orders_length += (size_t)got;
}

int next_order(struct link *link, struct order *order) {
  if (link->orders_length < sizeof *order) return 0;
  memcpy(order, link->orders, sizeof *order);
  link->orders_length -= sizeof *order;
  memmove(link->orders, link->orders + sizeof *order, link->orders_length);
  return 1;
}

int take_behind(struct link *link, void *into, size_t length) {
  size_t have = link->orders_length < length ? link->orders_length : length;
  memcpy(into, link->orders, have);
  link->orders_length -= have;
  memmove(link->orders, link->orders + have, link->orders_length);
  if (read_fully(SERVER_FD, link->lifeline_fd, (char *)into + have, length - have) == 0) return 0;
  link->is_server_gone = 1;
  return -1;
}

int lifeline_holds(const struct link *link) {
  struct pollfd polled = { link->lifeline_fd, 0, 0 };
  return poll(&polled, 1, 0) <= 0;
}

/* The last status is out. Node may be writing an order at this moment: a closed socket would fail that write, and Node
   would drop our status with it. So wait until Node hangs up. With two pipes the status stays in its own. */
_Noreturn void leave(struct link *link) {
  char ignored[256];
  while (!link->is_server_gone && link->status_fd == SERVER_FD) {
    ssize_t got = read(SERVER_FD, ignored, sizeof ignored);
    if (got == 0 || (got < 0 && errno != EINTR)) break;
  }
  _exit(0);
}
