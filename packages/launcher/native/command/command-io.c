/* Pipes, terminals and further descriptors are made here, before the command starts; the child only puts them in place
   (child.c). */
#define _GNU_SOURCE
#include "command-io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef TIOCGPTPEER
#define TIOCGPTPEER _IO('T', 0x41)
#endif

/* Four times what a pipe holds otherwise: what a command writes at once is read at once. Without it the reader is woken for
   every few kilobytes. */
enum { WIDE_PIPE_BYTES = 256 * 1024 };

int wide_pipe_bytes(const struct spec *spec) {
  return (spec->flags & FLAG_WIDE_PIPES) ? WIDE_PIPE_BYTES : 0;
}

/* Real pipes, because programs reopen /dev/stdout and a socket refuses that. Node opens its ends through
   /proc/<us>/fd; until it says so we keep both ends, so that neither side sees a hang-up that is not there. Of a pipe that was
   made ahead (nursery.c) it has its end. */
int make_pipes(struct command_io *io, const struct spec *spec) {
  for (int i = (spec->flags & FLAG_STDIN_OPEN) ? 0 : 1; i < 3; i++) {
    if (io->pipe_fds[2 * i + 1] < 0 && pipe2(&io->pipe_fds[2 * i], O_CLOEXEC) != 0) return errno;
    /* Refused where the user has too much in pipes already; an ordinary one does. */
    if (i > 0 && (spec->flags & FLAG_WIDE_PIPES)) (void)fcntl(io->pipe_fds[2 * i + 1], F_SETPIPE_SZ, WIDE_PIPE_BYTES);
  }
  if (spec->flags & FLAG_STDIN_OPEN) return 0;
  /* Opened anew and not our own, whose flags and locks would go from one command to the next. */
  io->pipe_fds[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return io->pipe_fds[0] < 0 ? errno : 0;
}

void io_clear(struct command_io *io) {
  for (int i = 0; i < 6; i++) io->pipe_fds[i] = -1;
  io->report_fd = io->later_fd = io->gate_fd = io->settled_fd = -1;
  io->relay.pty_fd = io->relay.fd = -1;
  io->relay.is_full = 0;
  io->relay.length = io->relay.owed = 0;
  io->keys.fd = -1;
  io->keys.length = 0;
}

void close_pipes(struct command_io *io) {
  for (int i = 0; i < 6; i++)
    if (io->pipe_fds[i] >= 0) { close(io->pipe_fds[i]); io->pipe_fds[i] = -1; }
}

void resize(const struct command_io *io, uint32_t rows, uint32_t cols) {
  struct winsize size = { .ws_row = (uint16_t)rows, .ws_col = (uint16_t)cols };
  if (io->relay.pty_fd >= 0) ioctl(io->relay.pty_fd, TIOCSWINSZ, &size);   /* the kernel sends SIGWINCH to the foreground group */
}

/* The master is ours alone: another process could not open it, only a new terminal in its place. What goes in and out passes
   through two pipes, which Node opens as it does with those of a command without a terminal. */
int open_terminal(struct command_io *io, const struct spec *spec) {
  int unlock = 0;
  int master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (master < 0) return -1;
  io->relay.pty_fd = master;
  if (ioctl(master, TIOCSPTLCK, &unlock) != 0) return -1;
  int peer = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);   /* by descriptor: no path, no race, no mount */
  if (peer < 0) return -1;
  resize(io, spec->rows, spec->cols);
  return peer;
}

void close_terminal(struct command_io *io) {
  relay_end(&io->relay);
  if (io->relay.pty_fd >= 0) close(io->relay.pty_fd);
  io->relay.pty_fd = -1;
  keys_end(&io->keys);
}

/* Bytes that the command gets as a file: memory only, read from the start, sealed against change. */
static int open_data(const struct fd_grant *grant) {
  int fd = memfd_create("codex-launch-data", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return -1;
  for (uint32_t done = 0; done < grant->data_length;) {
    ssize_t wrote = write(fd, grant->data + done, grant->data_length - done);
    if (wrote < 0) return -1;
    done += (uint32_t)wrote;
  }
  if (fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) return -1;
  return lseek(fd, 0, SEEK_SET) == 0 ? fd : -1;
}

/* One name below a directory, as it is: a link fails, also one that /proc makes up and that leaves our mount namespace,
   where the path may be spelled the same. O_PATH would open the link itself. */
static int open_name(int directory, const char *name, int link_error) {
  int fd = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  struct stat found;
  if (fd < 0 || fstat(fd, &found) != 0) return -1;
  if (S_ISLNK(found.st_mode)) { errno = link_error; return -1; }
  return fd;
}

/* A handle on exactly this path: when a part of it is swapped for a link, before or while it is opened, that is an error
   and never a handle on something else. Opened name by name; in the end the kernel tells where the handle really lies, which
   finds other spellings, and directories that were moved under our hands. */
static int open_exactly(const char *path) {
  int fd = open("/", O_PATH | O_CLOEXEC);
  for (const char *at = path; fd >= 0 && *at != '\0';) {
    size_t length = strcspn(at, "/");
    char name[NAME_MAX + 1];
    if (length > NAME_MAX) { errno = ENAMETOOLONG; return -1; }
    memcpy(name, at, length);
    name[length] = '\0';
    at += length + (at[length] == '/');
    if (length == 0) continue;
    int directory = fd;
    fd = open_name(directory, name, *at == '\0' ? ELOOP : ESTALE);
    if (fd >= 0) close(directory);
  }
  if (fd < 0) return -1;
  char link[32], place[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, place, sizeof place);
  if (length < 0) return -1;
  if ((size_t)length != strlen(path) || memcmp(place, path, (size_t)length) != 0) { errno = ESTALE; return -1; }
  return fd;
}

/* The same for a path that was looked at before: another directory may have been moved there since, without any link. */
static int open_identified(const uint8_t *data) {
  uint64_t device, inode;
  memcpy(&device, data, sizeof device);
  memcpy(&inode, data + sizeof device, sizeof inode);
  int fd = open_exactly((const char *)data + IDENTITY_BYTES);
  struct stat found;
  if (fd < 0 || fstat(fd, &found) != 0) return -1;
  if ((uint64_t)found.st_dev != device || (uint64_t)found.st_ino != inode) { errno = ESTALE; return -1; }
  return fd;
}

/* A pipe bounds what a command can make us keep: a writer that does not stop waits. Only our end must not block. */
static int open_report(struct command_io *io) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  io->report_fd = ends[0];
  return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 ? ends[1] : -1;
}

/* The command holds the same open file, and so its position: far behind all bytes, which is where it stays until the last of
   them is written. Should we die before, the gate ends and the file reads as empty, never as a part of what was meant. */
static int open_later(struct command_io *io) {
  int fd = memfd_create("codex-launch-data", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0 || lseek(fd, SPEC_MAX_BYTES, SEEK_SET) < 0) return -1;
  io->later_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return io->later_fd < 0 ? -1 : fd;
}

static int open_gate(struct command_io *io) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  io->gate_fd = ends[1];
  return ends[0];
}

/* It has nothing to wait for: the byte is there. */
static int open_settled(struct command_io *io) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  io->settled_fd = ends[1];
  return write(ends[1], "", 1) == 1 ? ends[0] : -1;
}

int hand_over_later(struct command_io *io, const void *bytes, size_t length) {
  if (io->later_fd < 0 || io->gate_fd < 0) return 0;   /* nobody waits */
  for (size_t done = 0; done < length;) {
    ssize_t wrote = pwrite(io->later_fd, (const char *)bytes + done, length - done, (off_t)done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    done += (size_t)wrote;
  }
  if (fcntl(io->later_fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) return errno;
  if (lseek(io->later_fd, 0, SEEK_SET) != 0) return errno;
  close(io->later_fd);
  close(io->gate_fd);
  io->later_fd = io->gate_fd = -1;
  return 0;
}

/* A failure ends the supervisor, and with it whatever is open by then. */
int make_grants(struct command_io *io, struct spec *spec) {
  for (uint32_t i = 0; i < spec->grant_count; i++) {
    struct fd_grant *grant = &spec->grants[i];
    if (grant->source >= 0) continue;
    int fd = grant->source == SOURCE_PATH ? open_exactly((const char *)grant->data)
           : grant->source == SOURCE_IDENTIFIED ? open_identified(grant->data)
           : grant->source == SOURCE_REPORT ? open_report(io)
           : grant->source == SOURCE_LATER ? open_later(io)
           : grant->source == SOURCE_GATE ? open_gate(io)
           : grant->source == SOURCE_SETTLED ? open_settled(io)
           : open_data(grant);
    if (fd < 0) return errno;
    grant->source = fd;
  }
  return 0;
}

size_t read_report(const struct command_io *io, void *into, size_t room) {
  size_t filled = 0;
  while (filled < room) {
    ssize_t got = read(io->report_fd, (char *)into + filled, room - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;   /* empty for now, or no writer is left */
    filled += (size_t)got;
  }
  return filled;
}
