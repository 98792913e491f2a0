#include "utf8.h"

static int continues(unsigned char byte) { return (byte & 0xc0) == 0x80; }

size_t utf8_length(const char *bytes, size_t available) {
  const unsigned char *at = (const unsigned char *)bytes;
  if (available == 0) return 0;
  if (at[0] < 0x80) return 1;
  size_t length = at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 0;
  if (length == 0 || length > available) return 0;
  for (size_t i = 1; i < length; i++)
    if (!continues(at[i])) return 0;
  if (at[0] == 0xe0 && at[1] < 0xa0) return 0;
  if (at[0] == 0xed && at[1] >= 0xa0) return 0;
  if (at[0] == 0xf0 && at[1] < 0x90) return 0;
  if (at[0] == 0xf4 && at[1] >= 0x90) return 0;
  return length;
}

size_t utf8_write(char *into, unsigned character) {
  unsigned char *at = (unsigned char *)into;
  if (character < 0x80) { at[0] = (unsigned char)character; return 1; }
  if (character < 0x800) {
    at[0] = (unsigned char)(0xc0 | character >> 6);
    at[1] = (unsigned char)(0x80 | (character & 0x3f));
    return 2;
  }
  if (character < 0x10000) {
    at[0] = (unsigned char)(0xe0 | character >> 12);
    at[1] = (unsigned char)(0x80 | (character >> 6 & 0x3f));
    at[2] = (unsigned char)(0x80 | (character & 0x3f));
    return 3;
  }
  at[0] = (unsigned char)(0xf0 | character >> 18);
  at[1] = (unsigned char)(0x80 | (character >> 12 & 0x3f));
  at[2] = (unsigned char)(0x80 | (character >> 6 & 0x3f));
  at[3] = (unsigned char)(0x80 | (character & 0x3f));
  return 4;
}
