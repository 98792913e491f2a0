#define _GNU_SOURCE
#include "ask.h"
#include "escalated.h"
#include "../wire/frame.h"
#include "../wire/messages.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_ANSWER = 1024 * 1024 };

int usable_socket(const char *text) {
  if (text == NULL || text[0] < '0' || text[0] > '9') return -1;
  char *end;
  long number = strtol(text, &end, 10);
  if (*end != '\0' || number > INT_MAX) return -1;
  int fd = (int)number, domain, type;
  struct stat status;
  if (fstat(fd, &status) != 0 || !S_ISSOCK(status.st_mode)) return -1;
  /* A filter may refuse to tell more; then what is a socket is taken for the right one. */
  socklen_t size = sizeof domain;
  if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0) return fd;
  size = sizeof type;
  if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return fd;
  return domain == AF_UNIX && type != SOCK_STREAM ? fd : -1;
}

/* In one write, so that sentences of several processes do not mix. */
static void complain(const char *format, ...) {
  char sentence[4096];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  if ((size_t)length >= sizeof sentence) length = sizeof sentence - 1;
  ssize_t ignored = write(2, sentence, (size_t)length);
  (void)ignored;
}

static int lost(const struct asked_exec *asked, const char *what, int error) {
  complain("%s: cannot run %s: %s: %s\n", asked->speaker, asked->file, what, strerror(error));
  return EXIT_CANNOT;
}

static int write_question(const struct asked_exec *asked, struct text *text, int *is_lossy) {
  char *workdir = getcwd(NULL, 0);
  int is_absolute = workdir != NULL && workdir[0] == '/';   /* not "(unreachable)…" */
  struct exec_message message = { .file = asked->file, .workdir = is_absolute ? workdir : "/", .is_startup = asked->is_startup };
  message.argv = (const char **)(uintptr_t)asked->argv;
  exec_message_write(text, &message, asked->envp);
  *is_lossy = message.is_lossy;
  free(workdir);
  return text->has_failed ? ENOMEM : 0;
}

/* On a stream of our own, of which the other end goes to the broker. The question is in it before the stream is announced, as far as
   it fits: so ours is never one of those that a broker drops because they are silent. 0 or an errno. */
static int send_question(const struct asked_exec *asked, const struct text *text, int *stream) {
  int ends[2];
  struct outgoing outgoing;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  *stream = ends[0];
  frame_begin(&outgoing, text->bytes, text->length);
  int error = frame_push(ends[0], &outgoing, 0);
  if (error == 0) error = announce(asked->socket_fd, ends[1]);
  close(ends[1]);
  return error == 0 ? frame_push(ends[0], &outgoing, 1) : error;
}

/* What is needed when the answer is to leave: looked up while the others think. */
struct readiness { int is_lossy; struct descriptors descriptors; };

static int obey(const struct asked_exec *asked, int stream, const struct answer *answer, const struct readiness *ready) {
  switch (answer->action) {
    case ANSWER_RUN: return VERDICT_RUN;
    case ANSWER_DENY:
      if (answer->reason == NULL) complain("Execution denied\n");
      else complain("Execution denied: %s\n", answer->reason);
      return EXIT_DENIED;
    default: break;
  }
  /* What was judged is not what would run: the text stood for other bytes. */
  if (ready->is_lossy) return VERDICT_RUN;
  int error = 0, code = escalated_wait(stream, &ready->descriptors, &error);
  if (error == E2BIG) {
    complain("%s: cannot run %s outside of the sandbox: it has more than %d open descriptors\n", asked->speaker, asked->file, MAX_FDS);
    return EXIT_CANNOT;
  }
  return error == 0 ? code : lost(asked, "the broker is gone", error);
}

int ask(const struct asked_exec *asked) {
  int verdict, stream = -1;
  struct readiness ready = { .is_lossy = 0 };
  size_t length;
  struct answer answer;
  struct text question = { 0 };
  char *payload = NULL;
  int error = write_question(asked, &question, &ready.is_lossy);
  if (error == 0) error = send_question(asked, &question, &stream);
  text_free(&question);
  descriptors_list(&ready.descriptors, asked->socket_fd);
  if (error != 0) verdict = lost(asked, "nobody can be asked", error);
  else if ((payload = frame_receive(stream, MAX_ANSWER, &length)) == NULL) verdict = lost(asked, "there was no answer", errno);
  else if ((error = answer_parse(payload, length, &answer)) != 0) verdict = lost(asked, "the answer is not understood", error);
  else verdict = obey(asked, stream, &answer, &ready);
  free(payload);
  if (stream >= 0) close(stream);
  return verdict;
}
