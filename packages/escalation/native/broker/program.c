#define _GNU_SOURCE
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 256 };   /* of a file the kernel looks at as much */

static int is_same(int a, int b) {
  struct stat first, second;
  return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* The same thing under the same name in our own view: what runs outside must not use a mount of the sandbox, whose flags (nosuid)
   and paths are not ours. */
static int open_on_host(const char *path, int found, int flags) {
  int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC | flags);
  if (fd >= 0 && is_same(fd, found)) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

/* By the kernel's own word, looked up again in the asker's view: the text alone could name something else. */
static int find_workdir(struct program *program, const struct asker *asker, int root_fd) {
  char link[64], path[sizeof program->workdir];
  snprintf(link, sizeof link, "/proc/%d/cwd", (int)asker->pid);
  ssize_t length = readlink(link, path, sizeof path - 1);
  int cwd_fd = asker_folder(asker, "cwd");
  struct walk *found = malloc(sizeof *found);
  int is_known = 0;
  if (found != NULL && cwd_fd >= 0 && length > 0 && path[0] == '/') {
    path[length] = '\0';
    if (walk(found, root_fd, path, 1) == WALK_OPENED) {
      is_known = is_same(found->fd, cwd_fd);
      if (is_known) {
        snprintf(program->workdir, sizeof program->workdir, "%s", found->real_path);
        program->folder_fd = open_on_host(found->real_path, found->fd, O_DIRECTORY);
      }
      walk_close(found);
    }
  }
  if (cwd_fd >= 0) close(cwd_fd);
  free(found);
  return is_known;
}

/* The first bytes of an O_PATH descriptor. -1 when they may not be read. */
static ssize_t read_head(int fd, char *head) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int readable = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (readable < 0) return -1;
  ssize_t length = pread(readable, head, HEAD, 0);
  close(readable);
  return length;
}

/* The interpreter of a "#!" line as the kernel reads it, in place; NULL when there is none. */
static char *interpreter_in(char *head, ssize_t length) {
  if (length < 3 || head[0] != '#' || head[1] != '!') return NULL;
  head[length] = '\0';
  char *start = head + 2 + strspn(head + 2, " \t");
  size_t size = strcspn(start, " \t\n");
  if (size == 0 || start + size == head + HEAD) return NULL;   /* cut off: the kernel refuses it */
  start[size] = '\0';
  return start;
}

/* As Bash decides whether a file that the kernel does not know is a script: its first line has no NUL. */
static int is_text(const char *head, ssize_t length) {
  const char *line_end = memchr(head, '\n', (size_t)length);
  size_t line = line_end == NULL ? (size_t)length : (size_t)(line_end - head);
  return memchr(head, '\0', line) == NULL;
}

static enum walk_result open_file(struct program *program, int root_fd, const char *given) {
  if (program->file_count == MAX_FILES) return WALK_DEPTH;
  char path[8192];
  int is_absolute = given[0] == '/';
  if (!is_absolute && program->workdir[0] == '\0') return WALK_MISSING;
  int needed = is_absolute ? snprintf(path, sizeof path, "%s", given) : snprintf(path, sizeof path, "%s/%s", program->workdir, given);
  if (needed < 0 || (size_t)needed >= sizeof path) return WALK_DEPTH;
  struct walk *file = malloc(sizeof *file);
  char *copy = strdup(given);
  if (file == NULL || copy == NULL) { free(file); free(copy); return WALK_DENIED; }
  enum walk_result result = walk(file, root_fd, path, 0);
  if (result != WALK_OPENED) { free(file); free(copy); return result; }
  program->files[program->file_count] = file;
  program->given[program->file_count++] = copy;
  return WALK_OPENED;
}

static enum walk_result open_files(struct program *program, int root_fd, const char *file) {
  char head[HEAD + 1];
  const char *next = file;
  while (next != NULL) {
    enum walk_result result = open_file(program, root_fd, next);
    if (result != WALK_OPENED && program->is_plain_text) {   /* it runs inside, where Bash is its own shell */
      program->is_plain_text = 0;
      return WALK_OPENED;
    }
    if (result != WALK_OPENED) return result;
    struct walk *opened = program->files[program->file_count - 1];
    ssize_t length = read_head(opened->fd, head);
    if (length < 0) return WALK_DENIED;
    if (program->file_count == 1) {
      program->is_elf = length >= 4 && memcmp(head, "\177ELF", 4) == 0;
      program->exec_fd = open_on_host(opened->real_path, opened->fd, 0);
    }
    walk_close(opened);
    next = interpreter_in(head, length);
    if (program->file_count == 1 && next == NULL && !program->is_elf && is_text(head, length)) {
      program->is_plain_text = 1;
      next = PLAIN_TEXT_SHELL;
    }
  }
  return WALK_OPENED;
}

struct program *program_open(const struct asker *asker, const char *file) {
  struct program *program = calloc(1, sizeof *program);
  if (program == NULL) return NULL;
  program->folder_fd = program->exec_fd = -1;
  int root_fd = asker_folder(asker, "root");
  if (root_fd < 0) {
    program->state = WALK_PROCESS_GONE;
    return program;
  }
  find_workdir(program, asker, root_fd);
  program->state = open_files(program, root_fd, file);
  close(root_fd);
  /* Its pid may belong to another process in the meantime. */
  if (!asker_lives(asker)) program->state = WALK_PROCESS_GONE;
  return program;
}

void program_free(struct program *program) {
  if (program == NULL) return;
  for (size_t i = 0; i < program->file_count; i++) {
    walk_close(program->files[i]);
    free(program->files[i]);
    free(program->given[i]);
  }
  if (program->folder_fd >= 0) close(program->folder_fd);
  if (program->exec_fd >= 0) close(program->exec_fd);
  free(program);
}
