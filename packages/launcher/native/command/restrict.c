/* rlimits, no_new_privs, Landlock and seccomp. Fails closed: a restriction that cannot be had in full is an error.
   Landlock does not stop: chmod, chown, stat, mounts seen before, descriptors that are open already, UDP and unix sockets. */
#define _GNU_SOURCE
#include "restrict.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset   /* the same numbers on every architecture */
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

/* Defined here, because headers older than the running kernel lack the later rights, and the numbers are ABI. */
enum { LANDLOCK_VERSION_FLAG = 1, RULE_PATH_BENEATH = 1, RULE_NET_PORT = 2 };
struct ruleset_attr { uint64_t handled_fs, handled_net, scoped; };
struct path_beneath_attr { uint64_t allowed; int32_t parent_fd; } __attribute__((packed));
struct net_port_attr { uint64_t allowed, port; };

#define FS_RIGHTS_ABI1 0x1fffull         /* execute .. make_sym */
#define FS_RIGHT_REFER (1ull << 13)      /* ABI 2 */
#define FS_RIGHT_TRUNCATE (1ull << 14)   /* ABI 3 */
#define FS_RIGHT_IOCTL_DEV (1ull << 15)  /* ABI 5 */
/* What makes sense on a file; the kernel refuses directory rights there. */
#define FS_RIGHTS_OF_FILE (0x7ull | FS_RIGHT_TRUNCATE | FS_RIGHT_IOCTL_DEV)   /* execute, write_file, read_file */

int landlock_abi(void) {
  long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION_FLAG);
  return abi < 0 ? 0 : (int)abi;
}

int restrict_limits(const struct spec *spec) {
  for (uint32_t i = 0; i < spec->limit_count; i++) {
    const struct limit *limit = &spec->limits[i];
    struct rlimit value = { (rlim_t)limit->soft, (rlim_t)limit->hard };   /* all bits set is RLIM_INFINITY on both sides */
    if (setrlimit((int)limit->resource, &value) != 0) return errno;
  }
  return 0;
}

int restrict_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

/* A path that does not exist has nothing to allow: leaving it out only narrows. Any other failure is an error. */
static int add_path_rule(int ruleset, const struct path_rule *rule, uint64_t handled) {
  int fd = open(rule->path, O_PATH | O_CLOEXEC);
  if (fd < 0) return errno == ENOENT ? 0 : errno;
  struct stat about;
  int problem = fstat(fd, &about) == 0 ? 0 : errno;
  uint64_t allowed = rule->access & handled;
  if (problem == 0 && !S_ISDIR(about.st_mode)) allowed &= FS_RIGHTS_OF_FILE;
  struct path_beneath_attr attr = { allowed, fd };
  if (problem == 0 && allowed != 0 && syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &attr, 0) != 0) problem = errno;
  close(fd);
  return problem;
}

static int add_rules(int ruleset, const struct spec *spec, uint64_t handled_fs) {
  for (uint32_t i = 0; i < spec->path_rule_count; i++) {
    int problem = add_path_rule(ruleset, &spec->path_rules[i], handled_fs);
    if (problem != 0) return problem;
  }
  for (uint32_t i = 0; i < spec->port_rule_count; i++) {
    uint32_t first = spec->port_rules[i].ports & 0xffff, last = spec->port_rules[i].ports >> 16;
    for (uint32_t port = first; port <= last; port++) {
      struct net_port_attr attr = { spec->port_rules[i].access, port };
      if (syscall(SYS_landlock_add_rule, ruleset, RULE_NET_PORT, &attr, 0) != 0) return errno;
    }
  }
  return 0;
}

int restrict_landlock(const struct spec *spec) {
  int abi = landlock_abi();
  /* TCP rules came with ABI 4, scopes with 6. Running without one that was asked for is not an option. */
  if (abi == 0 || (uint32_t)abi < spec->minimum_abi) return EOPNOTSUPP;
  if ((spec->handled_net != 0 && abi < 4) || (spec->scoped != 0 && abi < 6)) return EOPNOTSUPP;
  uint64_t supported = FS_RIGHTS_ABI1 | (abi >= 2 ? FS_RIGHT_REFER : 0) | (abi >= 3 ? FS_RIGHT_TRUNCATE : 0) |
                       (abi >= 5 ? FS_RIGHT_IOCTL_DEV : 0);
  struct ruleset_attr attr = { spec->handled_fs & supported, spec->handled_net, spec->scoped };
  /* An older kernel refuses a struct with members it does not know. */
  size_t size = abi >= 6 ? sizeof attr : abi >= 4 ? 16 : 8;
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
  if (ruleset < 0) return errno;
  int problem = add_rules(ruleset, spec, attr.handled_fs);
  if (problem == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) problem = errno;
  close(ruleset);
  return problem;
}

int restrict_seccomp(const struct spec *spec) {
  uint32_t count = spec->seccomp_length / sizeof(struct sock_filter);
  if (spec->seccomp_length % sizeof(struct sock_filter) != 0 || count > BPF_MAXINSNS) return EINVAL;
  /* The record is byte-packed; the kernel copies the program itself and asks for no alignment. */
  struct sock_fprog program = { (unsigned short)count, (struct sock_filter *)(uintptr_t)spec->seccomp };
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
}
