#include "variables.h"

#include <string.h>

extern char **environ;

/* Of "NAME=VALUE"; NULL when it is another name. */
static char *value_in(char *variable, const char *name) {
  size_t length = strlen(name);
  return strncmp(variable, name, length) == 0 && variable[length] == '=' ? variable + length + 1 : NULL;
}

char *find_variable(const char *name) {
  for (char **at = environ; *at != NULL; at++) {
    char *value = value_in(*at, name);
    if (value != NULL) return value;
  }
  return NULL;
}

void remove_variable(const char *name) {
  char **kept = environ;
  for (char **at = environ; *at != NULL; at++)
    if (value_in(*at, name) == NULL) *kept++ = *at;
  *kept = NULL;
}
