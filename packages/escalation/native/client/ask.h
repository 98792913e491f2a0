/* The asking end of the wire, for the wrapper (a program of its own) and the preload (inside of Bash, after its fork). */
#ifndef CODEX_ASK_H
#define CODEX_ASK_H

struct asked_exec {
  const char *file;
  char *const *argv;      /* ends with NULL */
  char *const *envp;
  int socket_fd;          /* inherited */
  int is_startup;
  const char *speaker;    /* who the sentences on stderr come from */
};

enum { VERDICT_RUN = -1 };

/* VERDICT_RUN when the caller is to execute it itself; otherwise everything is done, and the caller ends with this exit code. */
int ask(const struct asked_exec *asked);

/* The number in the text if it is an open unix socket that streams can be announced on; else -1. */
int usable_socket(const char *text);

#endif
