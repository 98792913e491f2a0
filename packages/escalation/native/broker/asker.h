/* The process that asks, as the kernel knows it. What it says of itself is not used here. */
#ifndef CODEX_ASKER_H
#define CODEX_ASKER_H

#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct asker {
  pid_t pid;      /* in our own process numbers */
  int pidfd;      /* readable when it has ended; -1 on kernels that have none */
};

/* Who made the other end of the stream. -1 when it is a process of another user, or none that can be seen. */
int asker_of(int stream_fd, struct asker *out);
void asker_close(struct asker *asker);
/* Only while it lives do its number and its /proc entry mean it. */
int asker_lives(const struct asker *asker);

/* Its root or working directory ("root", "cwd") as a descriptor; -1 with errno. */
int asker_folder(const struct asker *asker, const char *which);

enum { ASKER_LIMITS = 16 };   /* RLIMIT_CPU to RLIMIT_RTTIME */
struct asker_traits {
  mode_t umask;
  uint64_t ignored_signals;   /* bit n - 1 for signal n */
  struct rlimit limits[ASKER_LIMITS];
  uint32_t is_limit_same;     /* bit n: limit n is ours already; set by outside_limits() */
};
/* What a program that it executes would inherit. 0 or an errno. */
int asker_traits(const struct asker *asker, struct asker_traits *out);

#endif
