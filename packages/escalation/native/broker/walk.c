#define _GNU_SOURCE
#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { MAX_LINKS = 40, MAX_LEVELS = 128 };
/* Of each folder on the way its path is kept, so there is an end of the room for paths before there is one of the levels. */
_Static_assert(MAX_LEVELS * (MAX_LEVELS + 2) > sizeof(((struct walk *)0)->paths), "levels of one letter each have to be too many");

/* Where the walk stands: a stack of open folders, so that ".." is our own step back and never the kernel's, which could lead
   above the root of the other process. */
struct place {
  struct walk *walk;
  int folders[MAX_LEVELS + 1];           /* the first is the root, which stays the caller's */
  size_t ends[MAX_LEVELS + 1];           /* length of real_path at each level */
  size_t level, links;
  char rest[8192];                       /* what is still to be walked */
};

static int stands_on_host(const char *path, const struct stat *found) {
  struct stat host;
  return fstatat(AT_FDCWD, path, &host, AT_SYMLINK_NOFOLLOW) == 0 && host.st_dev == found->st_dev && host.st_ino == found->st_ino;
}

static int add_step(struct walk *walk, const char *path, const struct stat *status, int is_a_name) {
  size_t size = strlen(path) + 1;
  if (walk->step_count == MAX_STEPS || walk->paths_length + size > sizeof walk->paths) return -1;
  enum step_kind kind = S_ISDIR(status->st_mode) ? STEP_FOLDER : S_ISLNK(status->st_mode) ? STEP_LINK : STEP_FILE;
  walk->steps[walk->step_count++] =
      (struct step){ kind, stands_on_host(path, status), is_a_name, status->st_dev, status->st_ino, walk->paths_length };
  memcpy(walk->paths + walk->paths_length, path, size);
  walk->paths_length += size;
  return 0;
}

const char *step_path(const struct walk *walk, size_t index) { return walk->paths + walk->steps[index].path_at; }

static int is_proc(int fd) {
  struct statfs status;
  return fstatfs(fd, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

static void leave_folders(struct place *place, size_t level) {
  while (place->level > level) close(place->folders[place->level--]);
  place->walk->real_path[place->ends[level]] = '\0';
}

/* The next name of `rest`, or NULL. Sets whether it was followed by a slash, and so has to be a folder. */
static char *next_name(struct place *place, char *name, size_t room, int *must_be_folder) {
  size_t start = strspn(place->rest, "/"), length = strcspn(place->rest + start, "/");
  if (length == 0 || length >= room) return NULL;
  memcpy(name, place->rest + start, length);
  name[length] = '\0';
  *must_be_folder = place->rest[start + length] == '/';
  memmove(place->rest, place->rest + start + length, strlen(place->rest + start + length) + 1);
  return name;
}

static enum walk_result follow(struct place *place, int fd) {
  char target[4096], joined[sizeof place->rest];
  if (++place->links > MAX_LINKS) return WALK_DEPTH;
  ssize_t length = readlinkat(fd, "", target, sizeof target - 1);
  if (length <= 0) return WALK_MISSING;
  target[length] = '\0';
  int needed = snprintf(joined, sizeof joined, "%s%s", target, place->rest);
  if (needed < 0 || (size_t)needed >= sizeof joined) return WALK_DEPTH;
  memcpy(place->rest, joined, (size_t)needed + 1);
  if (target[0] == '/') leave_folders(place, 0);
  return WALK_OPENED;
}

static enum walk_result of_errno(int error) {
  return error == ENOENT || error == ENOTDIR ? WALK_MISSING : error == ENAMETOOLONG || error == ELOOP ? WALK_DEPTH : WALK_DENIED;
}

/* Goes down into a folder, or ends at a file. */
static enum walk_result arrive(struct place *place, int fd, const struct stat *status, size_t end, int must_be_folder) {
  if (!S_ISDIR(status->st_mode)) {
    if (must_be_folder || strspn(place->rest, "/") != strlen(place->rest)) { close(fd); return WALK_MISSING; }
    place->walk->fd = fd;
    return WALK_OPENED;
  }
  place->folders[++place->level] = fd;
  place->ends[place->level] = end;
  return WALK_OPENED;
}

static enum walk_result step(struct place *place, const char *name, int must_be_folder) {
  struct walk *walk = place->walk;
  struct stat status;
  size_t before = place->ends[place->level], room = sizeof walk->real_path - before;
  int needed = snprintf(walk->real_path + before, room, "/%s", name);
  if (needed < 0 || (size_t)needed >= room) return WALK_DEPTH;
  int fd = openat(place->folders[place->level], name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return of_errno(errno);
  if (fstat(fd, &status) != 0 || is_proc(fd)) { close(fd); return WALK_PROC; }
  if (add_step(walk, walk->real_path, &status, strspn(place->rest, "/") == strlen(place->rest)) != 0) { close(fd); return WALK_DEPTH; }
  if (!S_ISLNK(status.st_mode)) return arrive(place, fd, &status, before + (size_t)needed, must_be_folder);
  walk->real_path[before] = '\0';
  enum walk_result result = follow(place, fd);
  close(fd);
  return result;
}

static enum walk_result walk_names(struct place *place) {
  char name[256];
  int must_be_folder;
  enum walk_result result = WALK_OPENED;
  while (result == WALK_OPENED && place->walk->fd < 0 && next_name(place, name, sizeof name, &must_be_folder) != NULL) {
    if (strcmp(name, ".") == 0) continue;
    if (strcmp(name, "..") == 0) leave_folders(place, place->level > 0 ? place->level - 1 : 0);
    else result = step(place, name, must_be_folder);
  }
  /* A name that is too long stays in `rest`. */
  if (result == WALK_OPENED && place->walk->fd < 0 && strspn(place->rest, "/") != strlen(place->rest)) return WALK_MISSING;
  return result;
}

static enum walk_result finish(struct place *place, int wants_folder) {
  struct walk *walk = place->walk;
  struct stat status;
  if (walk->fd < 0) {   /* ended in a folder */
    if (!wants_folder) return WALK_NOT_A_FILE;
    walk->fd = fcntl(place->folders[place->level], F_DUPFD_CLOEXEC, 0);
    if (walk->real_path[0] == '\0') strcpy(walk->real_path, "/");
    return walk->fd < 0 ? WALK_DENIED : WALK_OPENED;
  }
  return !wants_folder && fstat(walk->fd, &status) == 0 && S_ISREG(status.st_mode) ? WALK_OPENED : WALK_NOT_A_FILE;
}

enum walk_result walk(struct walk *walk, int root_fd, const char *path, int wants_folder) {
  struct place place = { .walk = walk, .folders = { root_fd } };
  struct stat status;
  walk->step_count = walk->paths_length = 0;
  walk->fd = -1;
  walk->real_path[0] = '\0';
  if (strlen(path) >= sizeof place.rest) return WALK_DEPTH;
  strcpy(place.rest, path);
  if (fstat(root_fd, &status) != 0 || add_step(walk, "/", &status, 0) != 0) return WALK_DENIED;
  enum walk_result result = walk_names(&place);
  if (result == WALK_OPENED) result = finish(&place, wants_folder);
  while (place.level > 0) close(place.folders[place.level--]);
  if (result != WALK_OPENED) walk_close(walk);
  return result;
}

void walk_close(struct walk *walk) {
  if (walk->fd >= 0) close(walk->fd);
  walk->fd = -1;
}
