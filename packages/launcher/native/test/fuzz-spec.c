/* Fuzz target for the parser of launch records: whatever comes in, spec_parse() stays inside the record, and what it accepts
   can be used. Built with libFuzzer where clang is, else with the driver in mutate-records.c; always with sanitizers. */
#include "../command/kept-mounts.h"
#include "../command/spec.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t used;   /* keeps the compiler from leaving the reads out */

static void use_string(const char *text) { used += strlen(text); }

static void use_bytes(const uint8_t *bytes, uint32_t length) {
  for (uint32_t i = 0; i < length; i++) used += bytes[i];
}

/* As the launcher does it: every string to its end, every element of every array. */
static void use(const struct spec *spec) {
  use_string(spec->program);
  use_string(spec->cwd);
  for (char **at = spec->argv; *at != NULL; at++) use_string(*at);
  for (char **at = spec->envp; *at != NULL; at++) use_string(*at);
  use_bytes(spec->seccomp, spec->seccomp_length);
  for (uint32_t i = 0; i < spec->grant_count; i++) {
    use_bytes(spec->grants[i].data, spec->grants[i].data_length);
    if (spec->grants[i].source == SOURCE_PATH) use_string((const char *)spec->grants[i].data);
    if (spec->grants[i].source == SOURCE_IDENTIFIED) use_string((const char *)spec->grants[i].data + IDENTITY_BYTES);
    if (spec->grants[i].source < SOURCE_SETTLED) abort();
  }
  for (uint32_t i = 0; i < spec->limit_count; i++) used += spec->limits[i].resource;
  for (uint32_t i = 0; i < spec->path_rule_count; i++) use_string(spec->path_rules[i].path);
  for (uint32_t i = 0; i < spec->port_rule_count; i++) used += spec->port_rules[i].ports;
  struct kept_mounts kept;
  kept_clear(&kept);
  if (kept_take(&kept, spec->kept_mounts, spec->kept_mounts_length) != 0) abort();
  for (size_t i = 0; i < kept.count; i++) use_string(kept.paths[i]);
  kept_close(&kept);
}

/* 1 when the record was accepted, for the driver that counts; libFuzzer wants a 0. */
int parse_one(const uint8_t *data, size_t size);
int parse_one(const uint8_t *data, size_t size) {
  uint8_t *body = malloc(size == 0 ? 1 : size);   /* exactly as long as the record: one byte too far is seen */
  if (body == NULL) return 0;
  memcpy(body, data, size);
  struct spec spec;
  int accepted = spec_parse(body, size, &spec) == 0;
  if (accepted) use(&spec);
  spec_free(&spec);
  free(body);
  return accepted;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  parse_one(data, size);
  return 0;
}
