#ifndef CODEX_PROCESS_STAT_H
#define CODEX_PROCESS_STAT_H

#include <stdint.h>
#include <sys/types.h>

/* When a process was started, in the kernel's own units; 0 when that cannot be found out. */
uint64_t process_start_time(pid_t pid);

#endif
