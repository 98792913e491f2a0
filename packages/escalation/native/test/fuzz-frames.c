/* Fuzz target for the parsers of frames: whatever comes in, they stay inside of the payload, and what they accept can be used. The
   first byte chooses the parser. Built with libFuzzer where clang is, else with the driver in mutate-frames.c; always with sanitizers. */
#include "../wire/messages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int parse_one(const uint8_t *data, size_t size);

static volatile size_t used;   /* keeps the compiler from leaving the reads out */
static void use(const char *text) { used += strlen(text); }

static int parse_exec(char *payload, size_t length) {
  struct exec_message message;
  int accepted = exec_message_parse(payload, length, &message) == 0;
  if (accepted) {
    use(message.file);
    use(message.workdir);
    for (size_t i = 0; i < message.argc; i++) use(message.argv[i]);
    if (message.argv[message.argc] != NULL) abort();
    for (size_t i = 0; i < message.env_count; i++) { use(message.env[i].name); use(message.env[i].value); }
  }
  exec_message_free(&message);
  return accepted;
}

static int parse_answer(char *payload, size_t length) {
  struct answer answer;
  if (answer_parse(payload, length, &answer) != 0) return 0;
  if (answer.reason != NULL) use(answer.reason);
  return 1;
}

static int parse_fds(char *payload, size_t length) {
  struct fds_message message;
  if (fds_message_parse(payload, length, &message) != 0) return 0;
  if (message.count > MAX_FDS) abort();
  for (size_t i = 0; i < message.count; i++)
    if (message.targets[i] < 0 || message.targets[i] > 65535) abort();
  return 1;
}

static int parse_number(char *payload, size_t length) {
  long number = 0;
  return number_message_parse(payload, length, "signal", &number) == 0;
}

/* 1 when it was accepted, for the driver that counts; libFuzzer wants a 0. */
int parse_one(const uint8_t *data, size_t size) {
  static int (*const parsers[])(char *, size_t) = { parse_exec, parse_answer, parse_fds, parse_number };
  if (size == 0) return 0;
  char *payload = malloc(size - 1 == 0 ? 1 : size - 1);   /* exactly as long: one byte too far is seen */
  if (payload == NULL) return 0;
  memcpy(payload, data + 1, size - 1);
  int accepted = parsers[data[0] % 4](payload, size - 1);
  free(payload);
  return accepted;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  parse_one(data, size);
  return 0;
}
