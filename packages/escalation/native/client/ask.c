#define _GNU_SOURCE
#include "ask.h"
#include "complain.h"
#include "escalated.h"
#include "number.h"
#include "../wire/frame.h"
#include "../wire/messages.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_ANSWER = 1024 * 1024 };

int usable_socket(const char *text) {
  int fd = number_of(text), domain, type;
  struct stat status;
  if (fstat(fd, &status) != 0 || !S_ISSOCK(status.st_mode)) return -1;
  /* A filter may refuse to tell more; then what is a socket is taken for the right one. */
  socklen_t size = sizeof domain;
  if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0) return fd;
  size = sizeof type;
  if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return fd;
  return domain == AF_UNIX && type != SOCK_STREAM ? fd : -1;
}

static int lost(const struct asked_exec *asked, const char *what, int error) {
  complain(asked->speaker, ": cannot run ", asked->file, ": ", what, ": ", strerror(error), NULL);
  return EXIT_CANNOT;
}

static int write_question(const struct asked_exec *asked, struct text *text, int *is_lossy) {
  char buffer[PATH_MAX], *workdir = getcwd(buffer, sizeof buffer);
  int is_absolute = workdir != NULL && workdir[0] == '/';   /* not "(unreachable)…" */
  struct exec_message message = { .file = asked->file, .workdir = is_absolute ? workdir : "/", .is_startup = asked->is_startup };
  message.argv = (const char **)(uintptr_t)asked->argv;
  exec_message_write(text, &message, asked->envp);
  *is_lossy = message.is_lossy;
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
      if (answer->reason == NULL) complain("Execution denied", NULL);
      else complain("Execution denied: ", answer->reason, NULL);
      return EXIT_DENIED;
    default: break;
  }
  /* What was judged is not what would run: the text stood for other bytes. */
  if (ready->is_lossy) return VERDICT_RUN;
  int error = 0, code = escalated_wait(stream, &ready->descriptors, &error);
  if (error == E2BIG) {
    _Static_assert(MAX_FDS == 16, "the sentence says so");
    complain(asked->speaker, ": cannot run ", asked->file, " outside of the sandbox: it has more than 16 open descriptors", NULL);
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
