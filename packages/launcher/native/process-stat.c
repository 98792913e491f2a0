#define _GNU_SOURCE
#include "process-stat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { START_TIME_FIELD = 22 };   /* see proc(5); fields are counted from 1, and the name, which is second, may hold anything */

uint64_t process_start_time(pid_t pid) {
  char path[32], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return 0;
  text[length] = '\0';
  const char *at = strrchr(text, ')');
  for (int field = 2; at != NULL && field < START_TIME_FIELD; field++) at = strchr(at + 1, ' ');
  return at == NULL ? 0 : strtoull(at, NULL, 10);
}
