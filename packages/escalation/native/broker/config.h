/* What Node wants of this broker: a sealed file that only we have. Twin: src/broker/broker-config.ts. */
#ifndef CODEX_CONFIG_H
#define CODEX_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#define CONFIG_MAGIC 0x31455843u   /* "CXE1": a broker of another version refuses, it never guesses */
enum { CONFIG_ASK_ALL = 1 };

struct name_list { const char **names; uint32_t count; };

struct config {
  uint32_t flags;
  uint32_t server_pid;         /* only it may be at the other end of the door */
  uint32_t shell_fd;           /* where the shell finds its socket */
  uint32_t max_sessions, first_frame_ms;
  const char *door, *token;    /* an abstract socket's name, and what shows that we are the broker of this call */
  struct name_list names, folded_names;
};

/* Reads and closes `fd`. 0 or an errno. */
int config_read(int fd, struct config *out);

/* A rule may name a program of this path: it, or its last part, is in the lists. */
int config_names(const struct config *config, const char *path);

#endif
