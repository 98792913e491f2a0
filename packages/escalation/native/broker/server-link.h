/* The link to Node. Records: a length, a type, fields. Twin: src/broker/link-codec.ts. */
#ifndef CODEX_SERVER_LINK_H
#define CODEX_SERVER_LINK_H

#include "config.h"
#include "reader.h"
#include "../wire/text.h"

/* What we tell. */
enum { TELL_HELLO = 1, TELL_REQUEST, TELL_RAN, TELL_EXITED, TELL_ABANDONED, TELL_REFUSED, TELL_GOODBYE };
/* Twin of RefusalReason in src/broker/exec-request.ts. */
enum refusal { REFUSED_TOO_MANY = 0, REFUSED_TOO_SLOW, REFUSED_TOO_LARGE, REFUSED_MALFORMED, REFUSED_STRANGER };
/* What we are told. */
enum { TOLD_DECISION = 16, TOLD_END };
enum { DECIDED_RUN = 0, DECIDED_DENY, DECIDED_ESCALATE, DECIDED_ESCALATE_AS_CALLED };

struct server_link { int fd; char *bytes; size_t length, room; };

/* Connects to the server's door and says who we are. The descriptor, or -1 with errno. */
int link_connect(const struct config *config);

void tell_string(struct text *record, const char *string);
/* Starts a record; link_tell() sends it and frees it. -1 when the server is gone. */
struct text tell_begin(uint32_t type);
int link_tell(const struct server_link *link, struct text *record);

/* Takes what has come. 0, or -1 when the server is gone or makes no sense. */
int link_receive(struct server_link *link);
/* The next whole record, valid until link_receive(); 0 when there is none. */
int link_next(struct server_link *link, uint32_t *type, struct reader *reader, size_t *taken);
/* Records of `taken` bytes in all are dealt with. */
void link_drop(struct server_link *link, size_t taken);

#endif
