#include "json.h"
#include "utf8.h"

#include <string.h>

enum { MAX_DEPTH = 32 };

struct json json_begin(char *bytes, size_t length) { return (struct json){ bytes, bytes + length, 0 }; }

static void skip_space(struct json *json) {
  while (json->at < json->end && strchr(" \t\n\r", *json->at) != NULL && *json->at != '\0') json->at++;
}

/* The next byte that is no space; 0 at the end. */
static char peek(struct json *json) {
  if (json->is_bad) return '\0';
  skip_space(json);
  return json->at < json->end ? *json->at : '\0';
}

static void bad(struct json *json) { json->is_bad = 1; }

static int take(struct json *json, char wanted) {
  if (peek(json) != wanted || wanted == '\0') { bad(json); return 0; }
  json->at++;
  return 1;
}

static int take_word(struct json *json, const char *word) {
  size_t length = strlen(word);
  if (peek(json) != word[0] || (size_t)(json->end - json->at) < length || memcmp(json->at, word, length) != 0) return 0;
  json->at += length;
  return 1;
}

static unsigned hex4(struct json *json) {
  unsigned value = 0;
  for (int i = 0; i < 4; i++) {
    if (json->at == json->end) { bad(json); return 0; }
    char digit = *json->at++;
    if (digit >= '0' && digit <= '9') value = value * 16 + (unsigned)(digit - '0');
    else if (digit >= 'a' && digit <= 'f') value = value * 16 + (unsigned)(digit - 'a' + 10);
    else if (digit >= 'A' && digit <= 'F') value = value * 16 + (unsigned)(digit - 'A' + 10);
    else { bad(json); return 0; }
  }
  return value;
}

/* After the "\u". A pair of surrogates is one character; one alone is bad. */
static unsigned unicode_escape(struct json *json) {
  unsigned first = hex4(json);
  if (first < 0xd800 || first > 0xdfff) return first;
  if (first > 0xdbff || json->end - json->at < 2 || json->at[0] != '\\' || json->at[1] != 'u') { bad(json); return 0; }
  json->at += 2;
  unsigned second = hex4(json);
  if (second < 0xdc00 || second > 0xdfff) { bad(json); return 0; }
  return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
}

static unsigned escape(struct json *json) {
  static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  if (json->at == json->end) { bad(json); return 0; }
  char name = *json->at++;
  if (name == 'u') return unicode_escape(json);
  const char *found = name == '\0' ? NULL : strchr(names, name);
  if (found == NULL) { bad(json); return 0; }
  return (unsigned char)meanings[found - names];
}

char *json_string(struct json *json) {
  if (!take(json, '"')) return NULL;
  char *start = json->at, *into = start;
  while (json->at < json->end && !json->is_bad) {
    unsigned char byte = (unsigned char)*json->at;
    if (byte == '"') {
      json->at++;
      *into = '\0';   /* stands at the quotation mark at the latest */
      return start;
    }
    if (byte == '\\') {
      json->at++;
      unsigned character = escape(json);
      if (character == 0) bad(json);
      else into += utf8_write(into, character);   /* never longer than its escape */
      continue;
    }
    size_t length = byte < 0x20 ? 0 : utf8_length(json->at, (size_t)(json->end - json->at));
    if (length == 0) break;
    memmove(into, json->at, length);
    into += length;
    json->at += length;
  }
  bad(json);
  return NULL;
}

long json_integer(struct json *json) {
  int is_negative = peek(json) == '-';
  if (is_negative) json->at++;
  char *start = json->at;
  long value = 0;
  while (json->at < json->end && *json->at >= '0' && *json->at <= '9' && json->at - start < 11)
    value = value * 10 + (*json->at++ - '0');
  if (json->is_bad || json->at == start) { bad(json); return 0; }
  return is_negative ? -value : value;
}

int json_boolean(struct json *json) {
  if (take_word(json, "true")) return 1;
  if (!take_word(json, "false")) bad(json);
  return 0;
}

int json_null(struct json *json) { return take_word(json, "null"); }
int json_is_string(struct json *json) { return peek(json) == '"'; }

void json_open(struct json *json, char bracket) { take(json, bracket); }

int json_next(struct json *json, char bracket, int *is_first) {
  if (peek(json) == bracket) { json->at++; return 0; }
  if (!*is_first) take(json, ',');
  *is_first = 0;
  return !json->is_bad;
}

char *json_key(struct json *json) {
  char *key = json_string(json);
  if (key != NULL) take(json, ':');
  return json->is_bad ? NULL : key;
}

/* Any number, as far as it matters to what is skipped. */
static void skip_number(struct json *json) {
  char *start = json->at;
  while (json->at < json->end && *json->at != '\0' && strchr("+-.0123456789eE", *json->at) != NULL) json->at++;
  if (json->at == start) bad(json);
}

static void skip_within(struct json *json, int depth) {
  char first = peek(json);
  if (first == '"') json_string(json);
  else if (first == '{' || first == '[') {
    char closing = first == '{' ? '}' : ']';
    int is_first = 1;
    if (depth == MAX_DEPTH) { bad(json); return; }
    json_open(json, first);
    while (json_next(json, closing, &is_first)) {
      if (first == '{') json_key(json);
      skip_within(json, depth + 1);
    }
  } else if (!take_word(json, "true") && !take_word(json, "false") && !take_word(json, "null")) skip_number(json);
}

void json_skip(struct json *json) { skip_within(json, 0); }

int json_ends_well(struct json *json) {
  skip_space(json);
  return !json->is_bad && json->at == json->end;
}
