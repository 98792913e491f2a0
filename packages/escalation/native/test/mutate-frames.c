/* Drives the fuzz target without libFuzzer: makes frames that are right and breaks them. The same seed gives the same frames.
   argv: seconds, seed. */
#define _GNU_SOURCE
#include "../wire/messages.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int parse_one(const uint8_t *data, size_t size);

static uint64_t state;

static uint32_t below(uint32_t limit) {   /* xorshift64* */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (uint32_t)(state * 0x2545f4914f6cdd1dull >> 32) % limit;
}

static char *word(void) {
  static const char *const parts[] = { "a", "\"", "\\", "\n", "\t", "\x01", "\xc3\xbc", "\xf0\x9f\x98\x80", "\xff", "/", "u0041", "{", "]", "=" };
  static char words[64][64];
  static unsigned next;
  char *text = words[next++ % 64];
  text[0] = '\0';
  for (uint32_t i = below(10); i > 0; i--) strcat(text, parts[below(sizeof parts / sizeof *parts)]);
  return text;
}

static void make_exec(struct text *out) {
  const char *argv[8];
  char *env[8], variables[7][140], file[80];
  uint32_t argc = below(7), env_count = below(7);
  for (uint32_t i = 0; i < argc; i++) argv[i] = word();
  argv[argc] = NULL;
  for (uint32_t i = 0; i < env_count; i++) {
    snprintf(variables[i], sizeof variables[i], "%s=%s", word(), word());
    env[i] = variables[i];
  }
  env[env_count] = NULL;
  snprintf(file, sizeof file, "x%s", word());
  struct exec_message message = { .file = file, .workdir = "/\xc3\xa4", .argv = argv, .is_startup = (int)below(2) };
  exec_message_write(out, &message, env);
}

static void make_answer(struct text *out) {
  static const char *const plain[] = { "{\"action\":\"Run\"}", "{\"action\":\"Escalate\"}", "{\"action\":{\"Deny\":{\"reason\":null}}}" };
  uint32_t kind = below(4);
  if (kind < 3) { text_add_string(out, plain[kind]); return; }
  text_add_string(out, "{\"action\":{\"Deny\":{\"reason\":");
  text_add_json(out, word());
  text_add_string(out, "}}}");
}

static void make_fds(struct text *out) {
  char number[16];
  text_add_string(out, "{\"fds\":[");
  for (uint32_t i = 0, count = below(17); i < count; i++) {
    snprintf(number, sizeof number, "%s%u", i == 0 ? "" : ", ", i * 100 + below(100));
    text_add_string(out, number);
  }
  text_add_string(out, "] , \"more\" : {\"a\":[1.5e3,true,null,\"x\"]}}");
}

static void make_signal(struct text *out) {
  char json[32];
  snprintf(json, sizeof json, "{\"signal\":%u}", below(65));
  text_add_string(out, json);
}

static void break_frame(struct text *text) {
  if (text->length < 3) return;
  size_t at = 1 + below((uint32_t)text->length - 1), span = 1 + below(12);
  static const char signs[] = "\"\\{}[],:u0- \x80\xff\x00";
  switch (below(5)) {
    case 0: text->bytes[at] = signs[below(sizeof signs)]; break;
    case 1: text->bytes[at] ^= (char)(1 << below(8)); break;
    case 2: text->length = at; break;
    case 3:
      if (at + span > text->length) break;
      memmove(text->bytes + at, text->bytes + at + span, text->length - at - span);
      text->length -= span;
      break;
    default:
      if (at + span <= text->length) text_add(text, text->bytes + at, 0), text_add(text, signs, span);
  }
}

int main(int argc, char **argv) {
  static void (*const makers[])(struct text *) = { make_exec, make_answer, make_fds, make_signal };
  double seconds = argc > 1 ? atof(argv[1]) : 10;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
  unsigned long right = 0, broken = 0, accepted = 0;
  while (clock() < end) {
    for (int i = 0; i < 1000; i++) {
      struct text frame = { 0 };
      char kind = (char)below(4);
      text_add(&frame, &kind, 1);
      makers[(int)kind](&frame);
      right++;
      if (!parse_one((const uint8_t *)frame.bytes, frame.length)) {
        fprintf(stderr, "a right frame was refused: %.*s\n", (int)frame.length - 1, frame.bytes + 1);
        return 1;
      }
      for (uint32_t changes = 1 + below(3); changes > 0; changes--) break_frame(&frame);
      broken++;
      accepted += (unsigned long)parse_one((const uint8_t *)frame.bytes, frame.length);
      text_free(&frame);
    }
  }
  printf("%lu right frames, %lu broken ones, of which %lu were still frames\n", right, broken, accepted);
  return accepted > 0 && accepted < broken ? 0 : 1;   /* else this driver is of no use */
}
