/* Descendants are read from /proc/<pid>/task/<tid>/children. This process is a child-subreaper, so an orphan (setsid and
   double fork included) hangs directly below it and nothing falls out of the tree. Does not reach: a process that has
   changed its real uid to one we may not signal, and what another service (cron, systemd) runs on the command's behalf.
   The pid of a grandchild could in theory be reused between listing and signal; parents are frozen first, which stops
   them from reaping, and the kernel hands out pids in a circle. */
#define _GNU_SOURCE
#include "tree.h"

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

/* A full list is not an error: what is listed is ended first, the next round finds the rest. */
static void append(pid_t pid) {
  if (listed_count < MAX_LISTED) listed[listed_count++] = pid;
}

/* The file is "pid pid pid " of any length. */
static void append_children_of_task(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;   /* the task has gone */
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

static void list_descendants(void) {
  listed_count = 0;
  append_children(getpid());
  for (size_t i = 0; i < listed_count; i++) append_children(listed[i]);   /* breadth first: parents come before children */
}

static int is_frozen(pid_t pid) { return pid < MAX_PID && (frozen[pid / 8] >> (pid % 8) & 1); }

void tree_kill_round(void) {
  /* Freezing first keeps the process table of a fork bomb full of stopped processes, so that nothing respawns into the
     places that killing would free. */
  for (int pass = 0; pass < MAX_FREEZE_PASSES; pass++) {
    size_t fresh = 0;
    list_descendants();
    for (size_t i = 0; i < listed_count; i++) {
      pid_t pid = listed[i];
      if (is_frozen(pid)) continue;
      kill(pid, SIGSTOP);
      if (pid < MAX_PID) frozen[pid / 8] |= (uint8_t)(1 << (pid % 8));
      fresh++;
    }
    if (fresh == 0) break;
  }
  for (size_t i = 0; i < listed_count; i++) kill(listed[i], SIGKILL);
  /* The next round must not take a new process with a used pid for a frozen one. Only touched bytes are cleared. */
  for (size_t i = 0; i < listed_count; i++)
    if (listed[i] < MAX_PID) frozen[listed[i] / 8] = 0;
}

void tree_signal(int signal, pid_t group, pid_t except) {
  list_descendants();
  for (size_t i = 0; i < listed_count; i++) {
    pid_t pid = listed[i];
    if (pid == except || (group > 0 && getpgid(pid) != group)) continue;
    kill(pid, signal);
  }
}
