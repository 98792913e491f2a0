#ifndef CODEX_UTF8_H
#define CODEX_UTF8_H

#include <stddef.h>

/* The length of the character at the beginning, 0 when it is none: too long a form, a surrogate, beyond U+10FFFF, cut off. */
size_t utf8_length(const char *bytes, size_t available);

/* Writes a character, returns its length (1 to 4). */
size_t utf8_write(char *into, unsigned character);

#endif
