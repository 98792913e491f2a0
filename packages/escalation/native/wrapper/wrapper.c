/* codex-execve-wrapper FILE ARGV0 ARGV1 …: what Bash executes in place of every program. Asks whether FILE may be executed, and does what
   is answered. */
#define _GNU_SOURCE
#include "../client/ask.h"
#include "../client/complain.h"
#include "../client/variables.h"
#include "../names.h"

#include <errno.h>
#include <stdint.h>
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
      complain("bash: ", file, ": cannot execute: required file not found", NULL);
      return EXIT_MISSING;
    }
  }
  complain("bash: ", file, ": ", why, NULL);
  return error == ENOENT ? EXIT_MISSING : EXIT_CANNOT;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    complain("usage: ", speaker, " FILE ARGV0 [ARGV1 ...]\n"
             "Executes FILE as the policy of the server allows. " SOCKET_VARIABLE " is the descriptor that it is asked through.", NULL);
    return 2;
  }
  const char *phase = find_variable(PHASE_VARIABLE);
  int is_startup = phase != NULL && strcmp(phase, "startup") == 0;
  remove_variable(PHASE_VARIABLE);
  const char *file = argv[1];
  int socket_fd = usable_socket(find_variable(SOCKET_VARIABLE));
  if (socket_fd < 0) {
    complain(speaker, ": cannot run ", file, ": " SOCKET_VARIABLE " is not the number of an open socket", NULL);
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
