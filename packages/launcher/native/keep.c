/* What a supervisor does for its command, for a sandbox that has none: `exec-server sandbox` and the sandbox library. Node starts it when the
   sandbox has made its mounts, and gives it their list as standard input. The mount that is gone is printed. Ends with the sandbox. */
#define _GNU_SOURCE
#include "keep.h"
#include "command/kept-mounts.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { MAX_LIST = 8 * 1024 * 1024, LOOK_AGAIN_MS = 1000 };   /* for what was moved, see kept-mounts.c */

static int take_list(struct kept_mounts *kept) {
  char *list = NULL;
  size_t have = 0, room = 0;
  for (;;) {
    if (have == room) {
      room = room == 0 ? 64 * 1024 : 2 * room;
      char *larger = room > MAX_LIST ? NULL : realloc(list, room);
      if (larger == NULL) { free(list); return ENOMEM; }
      list = larger;
    }
    ssize_t got = read(STDIN_FILENO, list + have, room - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) { free(list); return errno; }
    if (got == 0) break;
    have += (size_t)got;
  }
  int error = kept_take(kept, list, have);
  free(list);
  return error;
}

int keep_main(const char *wrapper_text) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);   /* the sandbox dies with the same parent */
  pid_t wrapper = (pid_t)strtol(wrapper_text, NULL, 10);
  struct kept_mounts kept;
  kept_clear(&kept);
  if (wrapper <= 1 || take_list(&kept) != 0) return 2;
  kept.is_due = 1;
  for (;;) {
    struct pollfd first = { kept.first_fd, POLLIN, 0 };
    int has_ended = kept.first_fd >= 0 ? poll(&first, 1, 0) > 0 : 0;
    const char *lost = kept_look(&kept, wrapper);
    if (lost != NULL) {
      kept_kill_first(&kept, wrapper);
      size_t length = strlen(lost);
      return write(STDOUT_FILENO, lost, length) == (ssize_t)length ? 0 : 1;
    }
    if (has_ended) return 0;
    if (kept.table_fd < 0) return kept_has_first(wrapper) ? 3 : 0;   /* Node tries again */
    if (kept.first_fd < 0 && !kept_has_first(wrapper)) return 0;
    struct pollfd polled[2] = { kept_event(&kept), { kept.first_fd, POLLIN, 0 } };
    poll(polled, 2, LOOK_AGAIN_MS);
  }
}
