/* The variables that an interception needs, in `environ` itself: a shell may have a getenv() of its own. */
#ifndef CODEX_VARIABLES_H
#define CODEX_VARIABLES_H

/* The value of the first of that name; NULL when there is none. */
char *find_variable(const char *name);
/* All of that name, in place: others have the address of the list. */
void remove_variable(const char *name);

#endif
