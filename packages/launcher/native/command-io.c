/* Pipes and terminals are made here, before the command starts; the child only puts them in place (child.c). */
#define _GNU_SOURCE
#include "command-io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#ifndef TIOCGPTPEER
#define TIOCGPTPEER _IO('T', 0x41)
#endif

/* Real pipes, because programs reopen /dev/stdout and a socket refuses that. Node opens its ends through
   /proc/<us>/fd; until it says so we keep both ends, so that neither side sees a hang-up that is not there. */
int make_pipes(struct supervisor *s) {
  for (int i = (s->spec.flags & FLAG_STDIN_OPEN) ? 0 : 1; i < 3; i++)
    if (pipe2(&s->pipe_fds[2 * i], O_CLOEXEC) != 0) return errno;
  return 0;
}

void close_pipes(struct supervisor *s) {
  for (int i = 0; i < 6; i++)
    if (s->pipe_fds[i] >= 0) { close(s->pipe_fds[i]); s->pipe_fds[i] = -1; }
}

void resize(struct supervisor *s, uint32_t rows, uint32_t cols) {
  struct winsize size = { .ws_row = (uint16_t)rows, .ws_col = (uint16_t)cols };
  if (s->pty_fd >= 0) ioctl(s->pty_fd, TIOCSWINSZ, &size);   /* the kernel sends SIGWINCH to the foreground group */
}

int open_terminal(struct supervisor *s) {
  int unlock = 0;
  s->pty_fd = PTY_FD;
  if (ioctl(PTY_FD, TIOCSPTLCK, &unlock) != 0) return -1;
  int peer = ioctl(PTY_FD, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);   /* by descriptor: no path, no race, no mount */
  if (peer < 0) return -1;
  struct termios modes;
  if (tcgetattr(peer, &modes) == 0) {
    modes.c_iflag |= IUTF8;   /* backspace removes a character, not a byte */
    tcsetattr(peer, TCSANOW, &modes);
  }
  resize(s, s->spec.rows, s->spec.cols);
  return peer;
}

int open_data_grants(struct spec *spec) {
  for (uint32_t i = 0; i < spec->grant_count; i++) {
    struct fd_grant *grant = &spec->grants[i];
    if (grant->source >= 0) continue;
    int fd = memfd_create("codex-launch-data", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return errno;
    for (uint32_t done = 0; done < grant->data_length;) {
      ssize_t wrote = write(fd, grant->data + done, grant->data_length - done);
      if (wrote < 0) return errno;
      done += (uint32_t)wrote;
    }
    fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
    lseek(fd, 0, SEEK_SET);
    grant->source = fd;
  }
  return 0;
}
