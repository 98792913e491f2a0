/* The launch record: what Node sends first. Layout twin: src/native/codec/spec-codec.ts. */
#ifndef CODEX_SPEC_H
#define CODEX_SPEC_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SPEC_MAGIC 0x374c5843u                   /* "CXL7": a launcher of another version refuses, it never guesses */
#define SPEC_MAX_BYTES (64u * 1024u * 1024u)     /* far above what execve takes; bounds a broken sender */

enum { FLAG_PTY = 1, FLAG_STDIN_OPEN = 2, FLAG_NO_NEW_PRIVS = 4, FLAG_LANDLOCK = 8, FLAG_WIDE_PIPES = 16 };

/* Sources that are no descriptor yet. Twins in src/native/codec/spec-codec.ts. */
enum { SOURCE_DATA = -1, SOURCE_PATH = -2, SOURCE_REPORT = -3, SOURCE_IDENTIFIED = -4, SOURCE_LATER = -5, SOURCE_GATE = -6,
       SOURCE_SETTLED = -7 };
enum { IDENTITY_BYTES = 16 };   /* of a SOURCE_IDENTIFIED, in front of its path: device and inode, 64 bits each */

/* A descriptor the command receives: inherited by the supervisor as `source`, or made by it (command-io.c) from the bytes
   or the path in `data` (which must be the very file that the sender looked at, where it is identified), or the write end of the pipe whose content is reported when the command ends. Bytes may
   also come later: the command gets an empty file and a gate, which ends when they are there. What it closes when it has made its
   mounts is a pipe with a byte in it (kept-mounts.h). */
struct fd_grant { int32_t source; int32_t target; const uint8_t *data; uint32_t data_length; };
struct limit { uint32_t resource; uint64_t soft, hard; };
struct path_rule { uint64_t access; const char *path; };
struct port_rule { uint64_t access; uint32_t ports; };   /* the first in the low half, the last in the high one */

struct spec {
  uint32_t flags;
  uint32_t inherited_fds;            /* descriptors 3 .. 3+n-1 belong to us, everything above is a leak */
  uint16_t rows, cols;
  const char *program, *cwd;
  char **argv, **envp;
  const uint8_t *seccomp;            /* sock_filter array */
  uint32_t seccomp_length;
  uint64_t handled_fs, handled_net, scoped;
  uint32_t minimum_abi;
  const uint8_t *kept_mounts;        /* paths, each with its NUL */
  uint32_t kept_mounts_length;
  uint32_t grant_count, limit_count, path_rule_count, port_rule_count;
  struct fd_grant *grants;
  struct limit *limits;
  struct path_rule *path_rules;
  struct port_rule *port_rules;
};

/* Parses `body` in place: strings and byte ranges point into it, and it must outlive the spec. Returns 0 or an errno. */
int spec_parse(uint8_t *body, size_t length, struct spec *out);

/* Frees what spec_parse has allocated, also after it has failed. The body stays the caller's. */
void spec_free(struct spec *spec);

#endif
