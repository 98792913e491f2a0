/* The messages of the wire as structures. Parsing is in place: what is pointed to lives as long as the payload. */
#ifndef CODEX_MESSAGES_H
#define CODEX_MESSAGES_H

#include "../names.h"
#include "text.h"

#include <stddef.h>

struct pair { const char *name, *value; };

struct exec_message {
  const char *file, *workdir;
  const char **argv;             /* ends with NULL */
  struct pair *env;
  size_t argc, env_count;
  int is_startup, is_lossy;
};

/* 0, EPROTO, or ENOMEM. To be freed in either case. */
int exec_message_parse(char *payload, size_t length, struct exec_message *out);
/* Beyond what a kernel executes with its usual limits, and more than is to be judged: each string costs the server time. */
int exec_message_is_too_large(const struct exec_message *message);
void exec_message_free(struct exec_message *message);

enum answer_action { ANSWER_RUN, ANSWER_ESCALATE, ANSWER_DENY };
struct answer { enum answer_action action; const char *reason; };
int answer_parse(char *payload, size_t length, struct answer *out);

struct fds_message { int targets[MAX_FDS]; size_t count; };
int fds_message_parse(char *payload, size_t length, struct fds_message *out);

/* `{"NAME":N}` and nothing else that matters. */
int number_message_parse(char *payload, size_t length, const char *name, long *out);

/* What the wrapper sends first. Sets `is_lossy` when arguments are no UTF-8; such variables are left out. */
void exec_message_write(struct text *text, struct exec_message *message, char *const *envp);

#endif
