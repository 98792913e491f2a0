/* A growing run of bytes. When memory is short it stays as it is and remembers that it failed. */
#ifndef CODEX_TEXT_H
#define CODEX_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text { char *bytes; size_t length, room; int has_failed; };

void text_add(struct text *text, const void *bytes, size_t length);
void text_add_string(struct text *text, const char *string);
void text_add_u32(struct text *text, uint32_t value);
void text_add_u64(struct text *text, uint64_t value);
void text_add_number(struct text *text, unsigned number);
/* A JSON string, written as serde_json writes it. Bytes that are no UTF-8 become U+FFFD; returns 1 when there were some. */
int text_add_json(struct text *text, const char *string);
int text_add_json_run(struct text *text, const char *from, const char *end);
void text_free(struct text *text);

#endif
