/* One small process that forks supervisors whenever Node asks for some on its socket (SERVER_FD). A supervisor makes its
   pipes after the fork, so no other process has them, and tells Node its descriptor numbers over the same socket: orders, statuses,
   and what its first command will print. Node opens its ends through /proc, as it does with a command's pipes, and says so. From there on orders and statuses do not go
   through the nursery: a signal that ends or stops it touches no supervisor that Node has. It stays their guardian. No process
   can look into it or attach to it (main.c sees to that), because what is changed here goes to every later supervisor. A command
   of the same user can still do to it what it can do to the server: signal it, and change its limits, priority and affinity. */
#define _GNU_SOURCE
#include "nursery.h"
#include "guardian.h"
#include "io.h"
#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Twins in src/native/codec/nursery-codec.ts. */
#define NURSERY_MAGIC 0x324e5843u   /* "CXN2": a program of another version is told from this one by its first word */
struct ask { uint32_t magic, count; uint64_t mark; };
struct born { uint32_t magic, pid, orders, statuses, stdout_end, stderr_end; };   /* pid 0: none was made, `orders` is the errno */

enum { OPEN_WITHIN_MS = 10000 };   /* long enough for a server that swaps; a supervisor that is not wanted does not stay */

/* One small message is one piece in the socket's queue: those of several supervisors do not mix. */
static int tell(struct born born) {
  return send(SERVER_FD, &born, sizeof born, MSG_NOSIGNAL) == sizeof born ? 0 : -1;
}

static _Noreturn void fail(int error) {
  tell((struct born){ .magic = NURSERY_MAGIC, .orders = (uint32_t)error });
  _exit(0);
}

/* Node hangs up, or at least says no more, when it wants no more supervisors: this one has come too late then. */
static void wait_until_opened(int orders) {
  struct pollfd polled[2] = { { orders, POLLIN, 0 }, { SERVER_FD, POLLRDHUP, 0 } };
  struct order opened;
  if (poll(polled, 2, OPEN_WITHIN_MS) <= 0 || !(polled[0].revents & POLLIN)) _exit(0);
  if (read(orders, &opened, sizeof opened) != sizeof opened || opened.type != ORDER_OPENED) _exit(0);
}

/* In the child: `mark` proves to Node that what it opens is ours and not of a process that got our pid after us. */
static void become_supervisor(uint64_t mark) {
  int orders[2], statuses[2], out[2], err[2];
  close_from(SERVER_FD + 1);   /* the guardian's own */
  setsid();   /* else a signal to the nursery's group would reach all supervisors */
  /* Not blocking: see wait_beside. Node's ends are opened anew and have flags of their own. */
  if (pipe2(orders, O_CLOEXEC | O_NONBLOCK) != 0 || pipe2(statuses, O_CLOEXEC | O_NONBLOCK) != 0) fail(errno);
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) fail(errno);   /* a command's own: they block */
  wake_on_input(orders[0]);
  if (write(statuses[1], &mark, sizeof mark) != sizeof mark) fail(errno);
  prctl(PR_SET_DUMPABLE, 1);   /* Node opens the pipes through /proc */
  if (tell((struct born){ NURSERY_MAGIC, (uint32_t)getpid(), (uint32_t)orders[1], (uint32_t)statuses[0], (uint32_t)out[0],
                          (uint32_t)err[0] }) != 0) _exit(0);
  wait_until_opened(orders[0]);
  prctl(PR_SET_DUMPABLE, 0);
  /* The socket moves away, the pipes into their places, each of which is free by then: the numbers went up from SERVER_FD in the
     order in which they were made. All above goes. */
  if (dup3(SERVER_FD, NURSERY_LIFELINE_FD, O_CLOEXEC) < 0 || dup3(orders[0], SERVER_FD, O_CLOEXEC) < 0 ||
      dup3(statuses[1], NURSERY_STATUS_FD, O_CLOEXEC) < 0 || dup3(out[1], NURSERY_STDOUT_FD, O_CLOEXEC) < 0 ||
      dup3(err[1], NURSERY_STDERR_FD, O_CLOEXEC) < 0) _exit(0);
  close_from(NURSERY_STDERR_FD + 1);
}

/* Reads asks until there are none. 1 in a child, which is a supervisor then. */
static int take_asks(int *is_last) {
  static union { struct ask ask; char bytes[sizeof(struct ask)]; } in;
  static size_t filled;
  while (!*is_last) {
    ssize_t got = recv(SERVER_FD, in.bytes + filled, sizeof in - filled, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return 0;
    if (got > 0) filled += (size_t)got;
    if (got > 0 && filled < sizeof in) continue;
    filled = 0;
    /* Node wants no more, or is gone; or speaks the language of another version. */
    if (got <= 0 || in.ask.magic != NURSERY_MAGIC) { *is_last = 1; return 0; }
    for (uint32_t i = 0; i < in.ask.count; i++) {
      pid_t child = guardian_fork();
      if (child == 0) {
        become_supervisor(in.ask.mark);
        return 1;
      }
      if (child < 0) tell((struct born){ .magic = NURSERY_MAGIC, .orders = (uint32_t)errno });
    }
  }
  return 0;
}

/* Both directions: Node closes its own when it wants no more, and lives on. */
static int has_hung_up(void) {
  struct pollfd polled = { SERVER_FD, 0, 0 };
  return poll(&polled, 1, 0) > 0 && (polled.revents & POLLHUP);
}

void nursery_main(void) {
  close_from(SERVER_FD + 1);
  guardian_begin();
  guardian_settle();
  wake_on_input(SERVER_FD);   /* an ask, or the end of the server, is a signal, and reaches us although a command has stopped us */
  for (int is_last = 0;; guardian_wait()) {
    if (take_asks(&is_last)) return;
    guardian_look(is_last, is_last && has_hung_up());
  }
}
