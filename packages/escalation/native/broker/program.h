/* What is asked for, opened once in the view of who asks. */
#ifndef CODEX_PROGRAM_H
#define CODEX_PROGRAM_H

#include "asker.h"
#include "walk.h"

#define PLAIN_TEXT_SHELL "/bin/bash"   /* what such a file is given to outside, and so has to be trusted with it */

enum { MAX_FILES = 6 };   /* the program and as many interpreters as the kernel goes through */

struct program {
  enum walk_result state;
  struct walk *files[MAX_FILES];
  char *given[MAX_FILES];
  size_t file_count;
  char workdir[4096];      /* of the asking process, without links; "" when it could not be found */
  int folder_fd;           /* the same folder outside of the sandbox; -1 when there is none */
  int exec_fd;             /* the same program outside of the sandbox; -1 when there is none */
  int is_elf;              /* executed by its descriptor; anything else by its path, which scripts are told */
  int is_plain_text;       /* neither "#!" nor a format of the kernel's: Bash runs such a file itself */
};

/* Always gives a program that says what was found; NULL when memory is short. */
struct program *program_open(const struct asker *asker, const char *file);
void program_free(struct program *program);

#endif
