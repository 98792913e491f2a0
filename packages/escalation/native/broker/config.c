#define _GNU_SOURCE
#include "config.h"
#include "reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_CONFIG = 64 * 1024 * 1024 };

static int compare(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static struct name_list read_names(struct reader *reader) {
  struct name_list list = { 0 };
  list.names = reader_strings(reader, &list.count);
  if (list.names != NULL) qsort(list.names, list.count, sizeof *list.names, compare);
  return list;
}

static int parse(char *bytes, size_t length, struct config *out) {
  struct reader reader = { bytes, bytes + length, 0 };
  if (reader_u32(&reader) != CONFIG_MAGIC) return EPROTO;
  out->flags = reader_u32(&reader);
  out->server_pid = reader_u32(&reader);
  out->shell_fd = reader_u32(&reader);
  out->max_sessions = reader_u32(&reader);
  out->first_frame_ms = reader_u32(&reader);
  out->door = reader_string(&reader);
  out->token = reader_string(&reader);
  out->names = read_names(&reader);
  out->folded_names = read_names(&reader);
  return reader.is_bad || reader.at != reader.end || out->max_sessions == 0 ? EPROTO : 0;
}

int config_read(int fd, struct config *out) {
  struct stat status;
  if (fstat(fd, &status) != 0) return errno;
  if (status.st_size < 4 || status.st_size > MAX_CONFIG) return EPROTO;
  size_t length = (size_t)status.st_size, have = 0;
  char *bytes = malloc(length);   /* kept as long as the process lives */
  if (bytes == NULL) return ENOMEM;
  while (have < length) {
    ssize_t got = pread(fd, bytes + have, length - have, (off_t)have);
    if (got <= 0) return got < 0 ? errno : EPROTO;
    have += (size_t)got;
  }
  close(fd);
  return parse(bytes, length, out);
}

static int contains(const struct name_list *list, const char *name) {
  return list->count > 0 && bsearch(&name, list->names, list->count, sizeof *list->names, compare) != NULL;
}

/* ASCII only: with folded names in use, whatever is beyond it is asked about. */
static int contains_folded(const struct name_list *list, const char *name) {
  if (list->count == 0) return 0;
  char folded[4097];
  size_t length = strlen(name);
  if (length >= sizeof folded) return 1;
  for (size_t i = 0; i <= length; i++) {
    if ((unsigned char)name[i] >= 0x80) return 1;
    folded[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
  }
  return contains(list, folded);
}

int config_names(const struct config *config, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *last = slash == NULL ? path : slash + 1;
  return contains(&config->names, path) || contains(&config->names, last) || contains_folded(&config->folded_names, path) ||
         contains_folded(&config->folded_names, last);
}
