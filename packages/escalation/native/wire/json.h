/* Reads JSON from an untrusted sender: strict, in place, without recursion beyond a fixed depth, without allocation. Whatever
   is wrong makes every further call fail, so that a caller may look once, at the end. */
#ifndef CODEX_JSON_H
#define CODEX_JSON_H

#include <stddef.h>

struct json { char *at, *end; int is_bad; };

struct json json_begin(char *bytes, size_t length);

/* A string is decoded where it stands and ends with a NUL; one that holds a NUL itself is bad. NULL when there is none. */
char *json_string(struct json *json);
/* Digits with an optional minus, eleven at most. */
long json_integer(struct json *json);
int json_boolean(struct json *json);
void json_skip(struct json *json);
/* Takes a `null` if one stands there, and says so. */
int json_null(struct json *json);
/* 1 when the next value is a string; takes nothing. */
int json_is_string(struct json *json);

/* json_open(json, '['); while (json_next(json, ']', &is_first)) …; the same for objects, whose keys come from json_key(). */
void json_open(struct json *json, char bracket);
int json_next(struct json *json, char bracket, int *is_first);
char *json_key(struct json *json);
/* Only white space is left, and nothing was wrong. */
int json_ends_well(struct json *json);

#endif
