/* codex-escalation-broker CONFIG_FD PROGRAM ARGV0 [ARGV1 ...]: leaves a broker behind and becomes the program.

   The process that was launched connects to the server, makes the shell's socket, leaves the broker behind as a process of the
   launcher's tree (not as its own child, which a shell would wonder about), and becomes the shell's command line. So the broker stands
   outside of the sandbox that this command line sets up, and has one end of a socket whose other end only the shell inherits. */
#define _GNU_SOURCE
#include "io.h"
#include "serve.h"
#include "../names.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char speaker[] = "codex-escalation-broker";

static int failed(const char *what, int error) {
  fprintf(stderr, "%s: %s: %s\n", speaker, what, strerror(error));
  return EXIT_CANNOT;
}

/* The pipes of the command are its own: their ends are to be seen when the command and its children are gone. */
static void let_go_of_stdio(void) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; fd++) dup2(nothing, fd);
}

/* Five descriptors for each session. */
static void raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  rlim_t wanted = limit.rlim_max < 8192 ? limit.rlim_max : 8192;
  if (limit.rlim_cur < wanted) limit.rlim_cur = wanted;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static _Noreturn void become_broker(const struct config *config, int server_fd, int shells_fd) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);   /* signals to the command's group, or to all of its tree, are not for us */
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);   /* what programs outside begin with */
  setsid();
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "codex-broker");
  /* What else the command gets is its own as well: a pipe that it closes has to end for who reads or writes it. */
  close_all_but((int[]){ server_fd, shells_fd }, 2);
  let_go_of_stdio();
  raise_descriptor_limit();
  if (chdir("/") != 0) _exit(1);
  serve(config, server_fd, shells_fd);
}

static int leave_broker(const struct config *config, int server_fd, const int *ends) {
  pid_t between = fork();
  if (between == 0) {
    pid_t broker = fork();
    if (broker == 0) become_broker(config, server_fd, ends[0]);
    _exit(broker < 0 ? errno : 0);
  }
  int status;
  if (between < 0) return errno;
  while (waitpid(between, &status, 0) < 0)
    if (errno != EINTR) return errno;
  return WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN;
}

int main(int argc, char **argv) {
  static struct config config;
  if (argc < 4) {
    fprintf(stderr, "%s is started by the server, not by hand\n", speaker);
    return 2;
  }
  int ends[2], server_fd, error = config_read(atoi(argv[1]), &config);
  if (error != 0) return failed("its settings cannot be read", error);
  if ((server_fd = link_connect(&config)) < 0) return failed("the server cannot be reached", errno);
  /* Whole messages, and an end of file when every process that inherited the other end has gone. */
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return failed("no socket for the shell", errno);
  if ((error = leave_broker(&config, server_fd, ends)) != 0) return failed("it cannot be started", error);
  close(ends[0]);
  close(server_fd);
  if (dup2(ends[1], (int)config.shell_fd) < 0) return failed("no descriptor for the shell", errno);
  execvp(argv[2], argv + 3);
  return failed(argv[2], errno);
}
