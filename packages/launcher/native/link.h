/* A supervisor's link to the server: orders come in, statuses go out. */
#ifndef CODEX_LINK_H
#define CODEX_LINK_H

#include "io.h"

#include <stdint.h>

/* Twin in src/native/codec/status-codec.ts. */
enum { STATUS_STARTED = 1, STATUS_FAILED, STATUS_EXITED, STATUS_TREE_GONE, STATUS_REPORT, STATUS_RELAYED,
       STATUS_SUPERVISOR, STATUS_MOUNT_LOST };
struct status { uint32_t type, a, b, c, d; };   /* a STATUS_REPORT and a STATUS_MOUNT_LOST are followed by `a` bytes */

/* Twins in src/native/codec/order-codec.ts. */
enum { ORDER_OPENED = 1, ORDER_SIGNAL, ORDER_KILL_TREE, ORDER_RESIZE, ORDER_PTY_CLOSED, ORDER_WAKE, ORDER_BYTES, ORDER_END };
struct order { uint32_t type, a, b; };   /* an ORDER_BYTES is followed by `a` bytes, and by the `b` of a list */

/* Forked by the guardian that Node started for one command, a supervisor has one socket for both directions, SERVER_FD; from
   the nursery it has two pipes, of which SERVER_FD is the one that orders come in on. */
enum { HELD_BYTES = 8192 };

struct link {
  int status_fd;                             /* SERVER_FD, or the second pipe */
  int lifeline_fd;                           /* hangs up when the server is gone; -1 when SERVER_FD is that socket itself */
  int is_server_gone;
  char orders[sizeof(struct order) * 64];    /* what has come in and is not obeyed yet */
  size_t orders_length;
  char held[HELD_BYTES];                     /* goes out with what is sent next */
  size_t held_length;
};

/* Adds to what goes out with the next send, or with send_held(): Node is woken once for both. At most HELD_BYTES in all. */
void hold_bytes(struct link *link, const void *bytes, size_t length);
void send_held(struct link *link);

void send_bytes(struct link *link, const void *bytes, size_t length);
void send_status(struct link *link, struct status status);

/* Reads what is there. Then next_order() gives one whole order after the other, and 0 when there is none. */
void receive_orders(struct link *link);
int next_order(struct link *link, struct order *order);

/* What follows an order: from what has been read already, then from the server. -1 when that is gone. */
int take_behind(struct link *link, void *into, size_t length);

/* 0 when the lifeline has hung up. Orders that others have open can hold a whole record of a server that is gone. */
int lifeline_holds(const struct link *link);

/* Ends the process; the server reads the last status in any case. */
_Noreturn void leave(struct link *link);

#endif
