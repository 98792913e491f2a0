/* For a Bash that is not patched: a library that the dynamic loader puts in front of libc, so that Bash's execve is ours. Bash calls
   it in the process that it has forked for the program, or in its own for `exec`; there we ask, and either execute, or end with the
   exit code that came back. Errors of execve come back to Bash as always, so its own words and its own way with texts stay.

   Only the Bash that the server started has it: before any of Bash runs, the variables are taken once and the loader's is put back to
   what it was, so that no script can change them and no child inherits the library. So child shells, and what other programs
   execute, are not seen. A static Bash never loads this; the server tries before it relies on it. */
#define _GNU_SOURCE
#include "../client/ask.h"
#include "../client/variables.h"
#include "../names.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHELL_VARIABLE "CODEX_INTERCEPTED_SHELL"   /* the file of the Bash that is meant */
#define LOADER_VARIABLE "LD_PRELOAD"

/* Bash exports both. In a shell that does not, nothing counts as start-up. */
extern int executing __attribute__((weak));
extern int shell_initialized __attribute__((weak));

static int is_armed;
static int socket_fd = -1;

/* We stand first in the list; what the caller had there itself stays. */
static void restore_loader_variable(void) {
  char *value = find_variable(LOADER_VARIABLE);
  char *rest = value == NULL ? NULL : strchr(value, ':');
  if (rest == NULL) remove_variable(LOADER_VARIABLE);
  else memmove(value, rest + 1, strlen(rest + 1) + 1);
}

/* bubblewrap and whatever else stands before the shell may load us too: they are not meant, and leave everything as it is. */
static int is_the_shell(const char *meant) {
  char self[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return 0;
  self[length] = '\0';
  return strcmp(self, meant) == 0;
}

__attribute__((constructor)) static void arm(void) {
  const char *meant = find_variable(SHELL_VARIABLE), *path = find_variable(WRAPPER_VARIABLE);
  if (meant == NULL || !is_the_shell(meant)) return;
  const char *socket = find_variable(SOCKET_VARIABLE);
  socket_fd = usable_socket(socket);
  /* Without a wrapper nothing is asked for. With a socket that the parent of this shell has closed, it is a plain shell; one that
     was never given a socket cannot ask, and fails. */
  is_armed = path != NULL && path[0] == '/' && (socket == NULL || socket_fd >= 0);
  restore_loader_variable();
  remove_variable(SHELL_VARIABLE);
}

static int is_starting_up(void) {
  return &executing != NULL && &shell_initialized != NULL && !executing && !shell_initialized;
}

/* Not found, or not to be executed: Bash says so itself, and nothing is asked. */
static int judge(const char *file, char *const argv[], char *const envp[]) {
  if (access(file, X_OK) != 0) return -1;
  struct asked_exec asked = { file, argv, envp, socket_fd, is_starting_up(), "bash" };
  int verdict = ask(&asked);
  if (verdict != VERDICT_RUN) _exit(verdict);
  return 0;
}

__attribute__((visibility("default"))) int execve(const char *file, char *const argv[], char *const envp[]) {
  if (is_armed && judge(file, argv, envp) != 0) return -1;
  return (int)syscall(SYS_execve, file, argv, envp);
}
