#define _GNU_SOURCE
#include "wrapper.h"
#include "ask.h"
#include "../names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static const char speaker[] = "codex-execve-wrapper";

/* A text without "#!": Bash executes it itself; here a new shell has to. Its own child shells are judged again. */
static void run_by_shell(const char *file, char **argv, int argc) {
  static char *const shells[] = { "/bin/bash", "/bin/sh" };
  char **extended = calloc((size_t)argc + 2, sizeof *extended);
  if (extended == NULL) return;
  extended[1] = (char *)(uintptr_t)file;
  for (int i = 1; i < argc; i++) extended[i + 1] = argv[i];
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
    extended[0] = shells[i];
    execve(shells[i], extended, environ);
  }
}

/* In the words of Bash, whose exec this was. */
static int failed_exec(const char *file, int error) {
  struct stat status;
  const char *why = strerror(error);
  if (stat(file, &status) == 0) {
    if (S_ISDIR(status.st_mode)) why = "Is a directory";
    else if (error == ENOENT) {
      fprintf(stderr, "bash: %s: cannot execute: required file not found\n", file);
      return EXIT_MISSING;
    }
  }
  fprintf(stderr, "bash: %s: %s\n", file, why);
  return error == ENOENT ? EXIT_MISSING : EXIT_CANNOT;
}

int wrapper_main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s FILE ARGV0 [ARGV1 ...]\n"
            "Executes FILE as the policy of the server allows. " SOCKET_VARIABLE " is the descriptor that it is asked through.\n", speaker);
    return 2;
  }
  const char *phase = getenv(PHASE_VARIABLE);
  int is_startup = phase != NULL && strcmp(phase, "startup") == 0;
  unsetenv(PHASE_VARIABLE);
  const char *file = argv[1];
  int socket_fd = usable_socket(getenv(SOCKET_VARIABLE));
  if (socket_fd < 0) {
    fprintf(stderr, "%s: cannot run %s: " SOCKET_VARIABLE " is not the number of an open socket\n", speaker, file);
    return EXIT_CANNOT;
  }
  struct asked_exec asked = { file, argv + 2, environ, socket_fd, is_startup, speaker };
  int verdict = ask(&asked);
  if (verdict != VERDICT_RUN) return verdict;
  execve(file, argv + 2, environ);
  int error = errno;
  if (error == ENOEXEC) run_by_shell(file, argv + 2, argc - 2);
  return failed_exec(file, error);
}
