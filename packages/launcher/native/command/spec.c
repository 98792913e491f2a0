/* Bounds-checked reader of the launch record. Every count is checked against the bytes that are left before it is used. */
#include "spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct cursor { uint8_t *at, *end; int failed; };

static uint32_t take_u32(struct cursor *c) {
  uint32_t value = 0;
  if ((size_t)(c->end - c->at) < sizeof value) { c->failed = 1; return 0; }
  memcpy(&value, c->at, sizeof value);   /* both sides run on one machine: native byte order (Node writes little-endian, see main.c) */
  c->at += sizeof value;
  return value;
}

static uint64_t take_u64(struct cursor *c) {
  uint64_t low = take_u32(c);
  return low | (uint64_t)take_u32(c) << 32;
}

static uint8_t *take_bytes(struct cursor *c, uint32_t *length) {
  *length = take_u32(c);
  if (c->failed || (size_t)(c->end - c->at) < *length) { c->failed = 1; *length = 0; return c->at; }
  uint8_t *start = c->at;
  c->at += *length;
  return start;
}

/* Strings carry their NUL inside the record, so they are used where they lie. */
static char *take_string(struct cursor *c) {
  static char empty[1];
  uint8_t *end = c->failed ? NULL : memchr(c->at, 0, (size_t)(c->end - c->at));
  if (end == NULL) { c->failed = 1; return empty; }
  char *start = (char *)c->at;
  c->at = end + 1;
  return start;
}

/* Each element takes at least `least` bytes of the record, which bounds the allocation by the record's own size. */
static void *take_array(struct cursor *c, uint32_t *count, size_t least, size_t element) {
  *count = take_u32(c);
  if (c->failed || *count > (size_t)(c->end - c->at) / least) { c->failed = 1; *count = 0; }
  void *memory = calloc((size_t)*count + 1, element);   /* one more: argv and envp end with NULL */
  if (memory == NULL) { c->failed = 1; *count = 0; }
  return memory;
}

static char **take_strings(struct cursor *c) {
  uint32_t count;
  char **strings = take_array(c, &count, 1, sizeof *strings);
  for (uint32_t i = 0; i < count; i++) strings[i] = take_string(c);
  return strings;
}

/* A path is used where it lies, so it has to end with its only NUL. */
static int is_path(const uint8_t *bytes, uint32_t length) {
  return length > 1 && memchr(bytes, 0, length) == bytes + length - 1;
}

/* A report takes no bytes. */
static int grant_is_sound(const struct fd_grant *grant) {
  switch (grant->source) {
    case SOURCE_DATA: return 1;
    case SOURCE_PATH: return is_path(grant->data, grant->data_length);
    case SOURCE_IDENTIFIED:
      return grant->data_length > IDENTITY_BYTES && is_path(grant->data + IDENTITY_BYTES, grant->data_length - IDENTITY_BYTES);
    case SOURCE_REPORT: case SOURCE_LATER: case SOURCE_GATE: case SOURCE_SETTLED: return grant->data_length == 0;
    default: return grant->source >= 0 && grant->data_length == 0;
  }
}

int spec_parse(uint8_t *body, size_t length, struct spec *out) {
  struct cursor c = { body, body + length, 0 };
  memset(out, 0, sizeof *out);
  out->flags = take_u32(&c);
  out->inherited_fds = take_u32(&c);
  out->rows = (uint16_t)take_u32(&c);
  out->cols = (uint16_t)take_u32(&c);
  out->handled_fs = take_u64(&c);
  out->handled_net = take_u64(&c);
  out->scoped = take_u64(&c);
  out->minimum_abi = take_u32(&c);
  out->program = take_string(&c);
  out->cwd = take_string(&c);
  out->argv = take_strings(&c);
  out->envp = take_strings(&c);
  out->seccomp = take_bytes(&c, &out->seccomp_length);

  uint32_t made[4] = { 0 };   /* of a report, of later bytes, of their gate and of what tells of mounts there is one place to keep it */
  out->grants = take_array(&c, &out->grant_count, 12, sizeof *out->grants);
  for (uint32_t i = 0; i < out->grant_count; i++) {
    struct fd_grant *grant = &out->grants[i];
    grant->source = (int32_t)take_u32(&c);
    grant->target = (int32_t)take_u32(&c);
    grant->data = take_bytes(&c, &grant->data_length);
    if (!grant_is_sound(grant)) c.failed = 1;
    if (grant->source == SOURCE_REPORT && made[0]++ > 0) c.failed = 1;
    if (grant->source == SOURCE_LATER && made[1]++ > 0) c.failed = 1;
    if (grant->source == SOURCE_GATE && made[2]++ > 0) c.failed = 1;
    if (grant->source == SOURCE_SETTLED && made[3]++ > 0) c.failed = 1;
  }
  if (made[1] != made[2]) c.failed = 1;
  out->limits = take_array(&c, &out->limit_count, 20, sizeof *out->limits);
  for (uint32_t i = 0; i < out->limit_count; i++) {
    out->limits[i].resource = take_u32(&c);
    out->limits[i].soft = take_u64(&c);
    out->limits[i].hard = take_u64(&c);
  }
  out->path_rules = take_array(&c, &out->path_rule_count, 9, sizeof *out->path_rules);
  for (uint32_t i = 0; i < out->path_rule_count; i++) {
    out->path_rules[i].access = take_u64(&c);
    out->path_rules[i].path = take_string(&c);
  }
  out->port_rules = take_array(&c, &out->port_rule_count, 12, sizeof *out->port_rules);
  for (uint32_t i = 0; i < out->port_rule_count; i++) {
    out->port_rules[i].access = take_u64(&c);
    out->port_rules[i].ports = take_u32(&c);
  }
  out->kept_mounts = take_bytes(&c, &out->kept_mounts_length);
  if (out->kept_mounts_length > 0 && out->kept_mounts[out->kept_mounts_length - 1] != 0) c.failed = 1;
  /* Bytes left over mean that sender and receiver disagree about the layout. */
  if (c.failed || c.at != c.end || out->argv == NULL || out->argv[0] == NULL) return EINVAL;
  return 0;
}

void spec_free(struct spec *spec) {
  free(spec->argv);
  free(spec->envp);
  free(spec->grants);
  free(spec->limits);
  free(spec->path_rules);
  free(spec->port_rules);
  memset(spec, 0, sizeof *spec);
}
