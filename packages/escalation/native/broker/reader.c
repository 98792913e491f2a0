#include "reader.h"

#include <stdlib.h>
#include <string.h>

uint32_t reader_u32(struct reader *reader) {
  uint32_t value = 0;
  if (reader->is_bad || reader->end - reader->at < (long)sizeof value) { reader->is_bad = 1; return 0; }
  memcpy(&value, reader->at, sizeof value);
  reader->at += sizeof value;
  return value;
}

const char *reader_string(struct reader *reader) {
  uint32_t length = reader_u32(reader);
  if (reader->is_bad || (uint64_t)(reader->end - reader->at) < (uint64_t)length + 1 || reader->at[length] != '\0' ||
      memchr(reader->at, '\0', length) != NULL) {
    reader->is_bad = 1;
    return "";
  }
  const char *string = reader->at;
  reader->at += (size_t)length + 1;
  return string;
}

const char **reader_strings(struct reader *reader, uint32_t *count) {
  *count = reader_u32(reader);
  if (reader->is_bad || *count > (uint64_t)(reader->end - reader->at)) { reader->is_bad = 1; *count = 0; return NULL; }
  const char **strings = calloc((size_t)*count + 1, sizeof *strings);
  if (strings == NULL) { reader->is_bad = 1; *count = 0; return NULL; }
  for (uint32_t i = 0; i < *count; i++) strings[i] = reader_string(reader);
  return strings;
}
