/* Reads the records that Node writes: little-endian numbers, strings with their length before and a NUL after them. What is too
   short or not closed is bad, and stays so. */
#ifndef CODEX_READER_H
#define CODEX_READER_H

#include <stdint.h>

struct reader { char *at, *end; int is_bad; };

uint32_t reader_u32(struct reader *reader);
/* Points into the record; "" when it is bad. */
const char *reader_string(struct reader *reader);
/* A list that ends with NULL, to be freed; NULL when it is bad. */
const char **reader_strings(struct reader *reader, uint32_t *count);

#endif
