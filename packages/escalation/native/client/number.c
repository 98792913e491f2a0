#include "number.h"

#include <limits.h>
#include <stddef.h>

int number_of(const char *text) {
  if (text == NULL || *text == '\0') return -1;
  long number = 0;
  for (; *text != '\0'; text++) {
    if (*text < '0' || *text > '9') return -1;
    number = number * 10 + (*text - '0');
    if (number > INT_MAX) return -1;
  }
  return (int)number;
}
