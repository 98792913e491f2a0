/* What a broker has in its hands. */
#ifndef CODEX_STATE_H
#define CODEX_STATE_H

#include "minder.h"
#include "server-link.h"
#include "session.h"

enum { MAX_SESSIONS = 1024 };

struct minded { int link_fd; uint32_t id; pid_t pid; };

struct broker {
  const struct config *config;
  struct server_link link;
  int shells_fd;                          /* -1 when no process holds its other end any more */
  int signal_fd;
  struct session *sessions[MAX_SESSIONS]; /* oldest first */
  size_t session_count;
  struct minded minded[MAX_SESSIONS];
  size_t minded_count;
  size_t memory;                          /* of the requests that are held */
  uint32_t last_id;
  int is_ending;                          /* the server is gone, or has had enough */
};

int64_t now_ms(void);
void drop_session(struct broker *broker, struct session *session);
void tell_refused(struct broker *broker, enum refusal why);
void tell_abandoned(struct broker *broker, uint32_t id);

/* sessions.c: takes new streams; looks at one that has something to read. */
void accept_sessions(struct broker *broker);
void look_at_session(struct broker *broker, struct session *session);
/* Those that are late go. Returns the milliseconds until the next one is; -1 for none. */
int drop_late_sessions(struct broker *broker);

/* decide.c: a whole request is answered here or by Node; Node's answers are carried out. */
void take_request(struct broker *broker, struct session *session);
void take_decisions(struct broker *broker);

#endif
