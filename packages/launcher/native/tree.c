/* Descendants are read from /proc/<pid>/task/<tid>/children. This process is a child-subreaper, so an orphan (setsid and
   double fork included) hangs directly below it and nothing falls out of the tree. Does not reach: a process that has
   changed its real uid to one we may not signal, and what another service (cron, systemd) runs on the command's behalf.
   The pid of a grandchild could in theory be reused between listing and signal; parents are frozen first, which stops
   them from reaping, and the kernel hands out pids in a circle.

   A command of the same user can take our descriptor limit away (prlimit). Then only our own children are listed, through
   the descriptor that was opened at the start; that is enough, because killing them brings their children to us. */
#define _GNU_SOURCE
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_LISTED = 32768, MAX_PID = 4194304, MAX_FREEZE_PASSES = 64 };

/* In .bss: pages are touched only as far as they are used, so a normal tree costs one page each. */
static pid_t listed[MAX_LISTED];
static size_t listed_count;
static uint8_t frozen[MAX_PID / 8];
static pid_t frozen_pids[MAX_LISTED];
static size_t frozen_count;
static int own_children_fd = -1;

/* A full list is not an error: what is listed is ended first, the next round finds the rest. */
static void append(pid_t pid) {
  if (listed_count < MAX_LISTED) listed[listed_count++] = pid;
}

/* The file is "pid pid pid " of any length. */
static void append_listed(int fd) {
  char block[4096];
  pid_t number = 0;
  ssize_t got;
  while ((got = read(fd, block, sizeof block)) > 0) {
    for (ssize_t i = 0; i < got; i++) {
      if (block[i] >= '0' && block[i] <= '9') {
        number = number * 10 + (block[i] - '0');
      } else if (number > 0) {
        append(number);
        number = 0;
      }
    }
  }
}

static void append_children_of_task(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;   /* the task has gone, or our descriptors have */
  append_listed(fd);
  close(fd);
}

/* A child belongs to the thread that forked it, so each task of the process is asked. */
static void append_children(pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  struct { uint64_t inode; int64_t offset; unsigned short length; unsigned char type; char name[]; } *entry;
  _Alignas(8) char block[4096];
  long got;
  while ((got = syscall(SYS_getdents64, fd, block, sizeof block)) > 0) {
    for (long at = 0; at < got; at += entry->length) {
      entry = (void *)(block + at);
      if (entry->name[0] == '.') continue;
      char children[96];
      snprintf(children, sizeof children, "/proc/%d/task/%.20s/children", pid, entry->name);
      append_children_of_task(children);
    }
  }
  close(fd);
}

int tree_open(void) {
  own_children_fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  return own_children_fd < 0 ? errno : 0;
}

/* We have one thread. */
static void append_own_children(const struct tree_hooks *hooks) {
  if (lseek(own_children_fd, 0, SEEK_SET) == 0) append_listed(own_children_fd);
  if (hooks == NULL || hooks->is_spared == NULL) return;
  size_t kept = 0;
  for (size_t i = 0; i < listed_count; i++)
    if (!hooks->is_spared(hooks->context, listed[i])) listed[kept++] = listed[i];
  listed_count = kept;
}

static void list_descendants(const struct tree_hooks *hooks) {
  listed_count = 0;
  append_own_children(hooks);
  for (size_t i = 0; i < listed_count; i++) append_children(listed[i]);   /* breadth first: parents come before children */
}

static int is_frozen(pid_t pid) { return pid < MAX_PID && (frozen[pid / 8] >> (pid % 8) & 1); }

/* Without room to remember it, it is simply stopped again. */
static void freeze(pid_t pid) {
  kill(pid, SIGSTOP);
  if (pid >= MAX_PID || frozen_count == MAX_LISTED) return;
  frozen[pid / 8] |= (uint8_t)(1 << (pid % 8));
  frozen_pids[frozen_count++] = pid;
}

/* The next round must not take a new process with a used pid for a frozen one. Only touched bytes are cleared. */
static void forget_frozen(void) {
  while (frozen_count > 0) frozen[frozen_pids[--frozen_count] / 8] = 0;
}

size_t tree_kill_round(const struct tree_hooks *hooks) {
  /* Freezing first keeps the process table of a fork bomb full of stopped processes, so that nothing respawns into the
     places that killing would free. A chain of forks leaves a zombie behind with each step: reaped before each look, they
     are few, the lists stay short, and the chain is caught up with. */
  for (int pass = 0; pass < MAX_FREEZE_PASSES; pass++) {
    size_t fresh = 0;
    hooks->reap(hooks->context);
    list_descendants(hooks);
    for (size_t i = 0; i < listed_count; i++) {
      if (is_frozen(listed[i])) continue;
      freeze(listed[i]);
      fresh++;
    }
    if (fresh == 0) break;
  }
  for (size_t i = 0; i < listed_count; i++) kill(listed[i], SIGKILL);
  forget_frozen();
  return listed_count;
}

void tree_signal(int signal, pid_t group, pid_t except) {
  list_descendants(NULL);
  for (size_t i = 0; i < listed_count; i++) {
    pid_t pid = listed[i];
    if (pid == except || (group > 0 && getpgid(pid) != group)) continue;
    kill(pid, signal);
  }
}
