/* Finds what a path is for another process: from its root on, name by name, so that every link and folder on the way is known, and
   none is followed that means something else to us. */
#ifndef CODEX_WALK_H
#define CODEX_WALK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum step_kind { STEP_FOLDER = 0, STEP_LINK, STEP_FILE };
/* `is_a_name`: nothing was left to be walked behind it, so that it is a name of the file itself. */
struct step { enum step_kind kind; int is_on_host, is_a_name; uint64_t device, inode; size_t path_at; };

/* Twin of UnopenedReason in src/broker/exec-request.ts. */
enum walk_result { WALK_OPENED = 0, WALK_MISSING, WALK_DENIED, WALK_PROC, WALK_DEPTH, WALK_NOT_A_FILE, WALK_PROCESS_GONE };

enum { MAX_STEPS = 160 };

struct walk {
  struct step steps[MAX_STEPS];
  size_t step_count;
  char paths[16 * 1024];       /* of the steps, each with a NUL */
  size_t paths_length;
  char real_path[4096];
  int fd;                      /* O_PATH of what was found, -1 */
};

/* `path` is absolute, `root_fd` a directory that it begins at. What is found is a regular file, or with `wants_folder` a directory. */
enum walk_result walk(struct walk *walk, int root_fd, const char *path, int wants_folder);
void walk_close(struct walk *walk);
const char *step_path(const struct walk *walk, size_t index);

#endif
