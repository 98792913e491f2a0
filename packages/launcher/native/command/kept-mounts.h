/* The mounts by which a sandbox protects names. When a process outside removes what lies below one, or renames another file to
   its name, the kernel takes the mount away; what was moved takes the mount along. Here that is noticed. */
#ifndef CODEX_KEPT_MOUNTS_H
#define CODEX_KEPT_MOUNTS_H

#include <poll.h>
#include <stddef.h>
#include <sys/types.h>

struct kept_mounts {
  char *text;              /* the mount points as they came, one after the other, each with its NUL */
  const char **paths;      /* the same in order */
  unsigned char *seen;
  size_t count;
  int settled_fd;          /* has an error when the sandbox has made its mounts; -1 when it has, or when nothing is to be kept */
  int is_due;              /* it has made them, and its table of mounts is not open yet */
  int table_fd;            /* its table of mounts; -1 until then */
  int first_fd;            /* its first process, with which all others of it die; -1 on Linux before 5.3 */
};

void kept_clear(struct kept_mounts *kept);

/* Takes the list: `length` bytes, of which the last is the NUL of the last path. 0 or an errno. */
int kept_take(struct kept_mounts *kept, const void *list, size_t length);

/* What to wait for before kept_look() has something to do. */
struct pollfd kept_event(const struct kept_mounts *kept);

/* Whether kept_event() is there already. */
int kept_is_due(const struct kept_mounts *kept);

/* Looks at the table of the sandbox whose first process is a child of `wrapper`. A mount point that is not there any more, or NULL. */
const char *kept_look(struct kept_mounts *kept, pid_t wrapper);

/* Ends the first process of the sandbox, and with it the sandbox. */
void kept_kill_first(const struct kept_mounts *kept, pid_t wrapper);

/* Whether the sandbox of this wrapper lives. */
int kept_has_first(pid_t wrapper);

/* The table holds all mounts of the sandbox, and is given back as soon as nothing lives in it. */
void kept_close(struct kept_mounts *kept);

#endif
