/* Memory and strings, eight bytes at a time where many are to be moved. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t __attribute__((may_alias, aligned(1))) word;

void *memcpy(void *restrict into, const void *restrict from, size_t length) {
  char *to = into;
  const char *at = from;
  for (; length >= sizeof(word); length -= sizeof(word), to += sizeof(word), at += sizeof(word)) *(word *)to = *(const word *)at;
  for (; length > 0; length--) *to++ = *at++;
  return into;
}

void *memmove(void *into, const void *from, size_t length) {
  char *to = into;
  const char *at = from;
  if (to <= at || to >= at + length) {
    for (; length > 0; length--) *to++ = *at++;
    return into;
  }
  while (length-- > 0) to[length] = at[length];
  return into;
}

void *memset(void *into, int byte, size_t length) {
  for (char *to = into; length > 0; length--) *to++ = (char)byte;
  return into;
}

int memcmp(const void *a, const void *b, size_t length) {
  const unsigned char *first = a, *second = b;
  for (; length > 0; length--, first++, second++)
    if (*first != *second) return *first - *second;
  return 0;
}

size_t strlen(const char *string) {
  size_t length = 0;
  while (string[length] != '\0') length++;
  return length;
}

int strcmp(const char *a, const char *b) {
  for (; *a != '\0' && *a == *b; a++, b++) {}
  return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t length) {
  for (; length > 0 && *a != '\0' && *a == *b; length--, a++, b++) {}
  return length == 0 ? 0 : (unsigned char)*a - (unsigned char)*b;
}

char *strchr(const char *string, int character) {
  for (; *string != (char)character; string++)
    if (*string == '\0') return NULL;
  return (char *)(uintptr_t)string;
}
