#define _GNU_SOURCE
#include "text.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

void text_add(struct text *text, const void *bytes, size_t length) {
  if (length == 0 || text->has_failed) return;
  if (text->room - text->length < length) {
    size_t room = (text->room + length) * 2 + 256;
    char *grown = realloc(text->bytes, room);
    if (grown == NULL) { text->has_failed = 1; return; }
    text->bytes = grown;
    text->room = room;
  }
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
}

void text_add_string(struct text *text, const char *string) { text_add(text, string, strlen(string)); }
void text_add_u32(struct text *text, uint32_t value) { text_add(text, &value, sizeof value); }
void text_add_u64(struct text *text, uint64_t value) { text_add(text, &value, sizeof value); }

void text_add_number(struct text *text, unsigned number) {
  char digits[10], *at = digits + sizeof digits;
  do *--at = (char)('0' + number % 10); while ((number /= 10) > 0);
  text_add(text, at, (size_t)(digits + sizeof digits - at));
}

static void add_escaped(struct text *text, unsigned char byte) {
  static const char named[] = { ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\' };
  static const char digits[] = "0123456789abcdef";
  if (byte < sizeof named && named[byte] != 0) text_add(text, (char[]){ '\\', named[byte] }, 2);
  else text_add(text, (char[]){ '\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15] }, 6);
}

int text_add_json_run(struct text *text, const char *from, const char *end) {
  int is_lossy = 0;
  text_add(text, "\"", 1);
  for (const char *at = from, *plain = from;;) {
    unsigned char byte = (unsigned char)*at;
    size_t length = at == end ? 0 : utf8_length(at, (size_t)(end - at));
    int is_plain = length > 0 && byte >= 0x20 && byte != '"' && byte != '\\';
    if (is_plain) { at += length; continue; }
    text_add(text, plain, (size_t)(at - plain));
    if (at == end) break;
    if (length == 0) { text_add_string(text, "\xef\xbf\xbd"); is_lossy = 1; }
    else add_escaped(text, byte);
    plain = ++at;
  }
  text_add(text, "\"", 1);
  return is_lossy;
}

int text_add_json(struct text *text, const char *string) { return text_add_json_run(text, string, string + strlen(string)); }

void text_free(struct text *text) {
  free(text->bytes);
  *text = (struct text){ 0 };
}
