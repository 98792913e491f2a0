#include "complain.h"
#include "../wire/text.h"

#include <stdarg.h>
#include <unistd.h>

void complain(const char *first, ...) {
  struct text sentence = { 0 };
  va_list parts;
  va_start(parts, first);
  for (const char *part = first; part != NULL; part = va_arg(parts, const char *)) text_add_string(&sentence, part);
  va_end(parts);
  text_add_string(&sentence, "\n");
  ssize_t ignored = write(2, sentence.bytes, sentence.length);
  (void)ignored;
  text_free(&sentence);
}
