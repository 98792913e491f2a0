#define _GNU_SOURCE
#include "messages.h"
#include "json.h"
#include "utf8.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TARGET = 65535 };

/* A list of unknown length, of elements of `size` bytes: room for one more. */
static void *room_for(void *list, size_t count, size_t size) {
  int is_full = (count & (count - 1)) == 0;   /* at every power of two */
  return is_full ? realloc(list, (count == 0 ? 1 : count * 2) * size) : list;
}

static int parse_argv(struct json *json, struct exec_message *out) {
  int is_first = 1;
  json_open(json, '[');
  while (json_next(json, ']', &is_first)) {
    const char **grown = room_for(out->argv, out->argc, sizeof *grown);
    if (grown == NULL) return ENOMEM;
    out->argv = grown;
    if ((out->argv[out->argc] = json_string(json)) != NULL) out->argc++;
  }
  const char **closed = realloc(out->argv, (out->argc + 1) * sizeof *closed);
  if (closed == NULL) return ENOMEM;
  out->argv = closed;
  out->argv[out->argc] = NULL;
  return 0;
}

static int parse_env(struct json *json, struct exec_message *out) {
  int is_first = 1;
  json_open(json, '{');
  while (json_next(json, '}', &is_first)) {
    struct pair *grown = room_for(out->env, out->env_count, sizeof *grown);
    if (grown == NULL) return ENOMEM;
    out->env = grown;
    struct pair pair = { .name = json_key(json) };
    pair.value = json_string(json);
    if (pair.name != NULL && pair.value != NULL) out->env[out->env_count++] = pair;
  }
  return 0;
}

static int is_key(const char *key, const char *wanted, int *seen) {
  if (strcmp(key, wanted) != 0) return 0;
  ++*seen;
  return 1;
}

int exec_message_parse(char *payload, size_t length, struct exec_message *out) {
  struct json json = json_begin(payload, length);
  int files = 0, workdirs = 0, argvs = 0, envs = 0, startups = 0, lossies = 0, is_first = 1, error = 0;
  *out = (struct exec_message){ 0 };
  json_open(&json, '{');
  while (error == 0 && json_next(&json, '}', &is_first)) {
    const char *key = json_key(&json);
    if (key == NULL) break;
    if (is_key(key, "file", &files)) out->file = json_string(&json);
    else if (is_key(key, "workdir", &workdirs)) out->workdir = json_string(&json);
    /* A second list cannot be added to one that is closed; it is left where it stands, which is no frame. */
    else if (is_key(key, "argv", &argvs)) { if (argvs == 1) error = parse_argv(&json, out); }
    else if (is_key(key, "env", &envs)) error = parse_env(&json, out);
    else if (is_key(key, "startup", &startups)) out->is_startup = json_boolean(&json);
    else if (is_key(key, "lossy", &lossies)) out->is_lossy = json_boolean(&json);
    else json_skip(&json);
  }
  if (error != 0) return error;
  if (!json_ends_well(&json) || files != 1 || workdirs != 1 || argvs != 1 || envs != 1 || startups > 1 || lossies > 1) return EPROTO;
  return out->file[0] == '\0' || out->workdir[0] != '/' ? EPROTO : 0;
}

enum { MAX_STRINGS = 256 * 1024, MAX_VARIABLES = 16 * 1024, MAX_STRING_BYTES = 6 * 1024 * 1024 };

int exec_message_is_too_large(const struct exec_message *message) {
  if (message->argc + message->env_count > MAX_STRINGS || message->env_count > MAX_VARIABLES) return 1;
  size_t bytes = 0;
  for (size_t i = 0; i < message->argc; i++) bytes += strlen(message->argv[i]) + 1;
  for (size_t i = 0; i < message->env_count; i++) bytes += strlen(message->env[i].name) + strlen(message->env[i].value) + 2;
  return bytes > MAX_STRING_BYTES;
}

void exec_message_free(struct exec_message *message) {
  free(message->argv);
  free(message->env);
  *message = (struct exec_message){ 0 };
}

/* {"reason":str|null} */
static const char *parse_reason(struct json *json) {
  const char *reason = NULL;
  int is_first = 1;
  json_open(json, '{');
  while (json_next(json, '}', &is_first)) {
    const char *key = json_key(json);
    if (key == NULL) break;
    if (strcmp(key, "reason") != 0) json_skip(json);
    else if (!json_null(json)) reason = json_string(json);
  }
  return reason;
}

static int parse_action(struct json *json, struct answer *out) {
  if (json_is_string(json)) {
    const char *action = json_string(json);
    if (action == NULL) return EPROTO;
    if (strcmp(action, "Run") == 0) out->action = ANSWER_RUN;
    else if (strcmp(action, "Escalate") == 0) out->action = ANSWER_ESCALATE;
    else return EPROTO;
    return 0;
  }
  int is_first = 1;
  json_open(json, '{');
  while (json_next(json, '}', &is_first)) {
    const char *kind = json_key(json);
    if (kind == NULL || strcmp(kind, "Deny") != 0) return EPROTO;
    out->action = ANSWER_DENY;
    out->reason = parse_reason(json);
  }
  return out->action == ANSWER_DENY ? 0 : EPROTO;
}

int answer_parse(char *payload, size_t length, struct answer *out) {
  struct json json = json_begin(payload, length);
  int is_first = 1, actions = 0, error = 0;
  *out = (struct answer){ ANSWER_RUN, NULL };
  json_open(&json, '{');
  while (error == 0 && json_next(&json, '}', &is_first)) {
    const char *key = json_key(&json);
    if (key == NULL) break;
    if (is_key(key, "action", &actions)) error = parse_action(&json, out);
    else json_skip(&json);
  }
  return error != 0 || !json_ends_well(&json) || actions != 1 ? EPROTO : 0;
}

static void parse_targets(struct json *json, struct fds_message *out) {
  int is_first = 1;
  json_open(json, '[');
  while (json_next(json, ']', &is_first)) {
    long target = json_integer(json);
    int is_twice = 0;
    for (size_t i = 0; i < out->count; i++) is_twice |= out->targets[i] == target;
    if (target < 0 || target > MAX_TARGET || is_twice || out->count == MAX_FDS) { json->is_bad = 1; return; }
    out->targets[out->count++] = (int)target;
  }
}

int fds_message_parse(char *payload, size_t length, struct fds_message *out) {
  struct json json = json_begin(payload, length);
  int is_first = 1, lists = 0;
  *out = (struct fds_message){ .count = 0 };
  json_open(&json, '{');
  while (json_next(&json, '}', &is_first)) {
    const char *key = json_key(&json);
    if (key == NULL) break;
    if (is_key(key, "fds", &lists)) parse_targets(&json, out);
    else json_skip(&json);
  }
  return !json_ends_well(&json) || lists != 1 ? EPROTO : 0;
}

int number_message_parse(char *payload, size_t length, const char *name, long *out) {
  struct json json = json_begin(payload, length);
  int is_first = 1, numbers = 0;
  json_open(&json, '{');
  while (json_next(&json, '}', &is_first)) {
    const char *key = json_key(&json);
    if (key == NULL) break;
    if (is_key(key, name, &numbers)) *out = json_integer(&json);
    else json_skip(&json);
  }
  return !json_ends_well(&json) || numbers != 1 ? EPROTO : 0;
}

static int is_internal(const char *name, size_t length) {
  static const char *const names[] = { SOCKET_VARIABLE, WRAPPER_VARIABLE, ZSH_WRAPPER_VARIABLE, PHASE_VARIABLE };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) return 1;
  return 0;
}

static int is_utf8(const char *string) {
  size_t left = strlen(string), length;
  for (; left > 0; string += length, left -= length)
    if ((length = utf8_length(string, left)) == 0) return 0;
  return 1;
}

static void write_env(struct text *text, char *const *envp) {
  int is_first = 1;
  text_add_string(text, "\"env\":{");
  for (; *envp != NULL; envp++) {
    const char *equals = strchr(*envp, '=');
    if (equals == NULL || is_internal(*envp, (size_t)(equals - *envp)) || !is_utf8(*envp)) continue;
    if (!is_first) text_add_string(text, ",");
    is_first = 0;
    text_add_json_run(text, *envp, equals);
    text_add_string(text, ":");
    text_add_json(text, equals + 1);
  }
  text_add_string(text, "}");
}

void exec_message_write(struct text *text, struct exec_message *message, char *const *envp) {
  text_add_string(text, "{\"file\":");
  int is_lossy = text_add_json(text, message->file);
  text_add_string(text, ",\"argv\":[");
  for (size_t i = 0; message->argv[i] != NULL; i++) {
    if (i > 0) text_add_string(text, ",");
    is_lossy |= text_add_json(text, message->argv[i]);
  }
  text_add_string(text, "],\"workdir\":");
  text_add_json(text, message->workdir);
  text_add_string(text, ",");
  write_env(text, envp);
  /* Further members, which another server does not read. */
  if (message->is_startup) text_add_string(text, ",\"startup\":true");
  if (is_lossy) text_add_string(text, ",\"lossy\":true");
  text_add_string(text, "}");
  message->is_lossy = is_lossy;
}
