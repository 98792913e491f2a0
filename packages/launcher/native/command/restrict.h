/* What the command may not do, applied in the child right before exec. Each function returns 0 or an errno. */
#ifndef CODEX_RESTRICT_H
#define CODEX_RESTRICT_H

#include "spec.h"

int landlock_abi(void);   /* 0: the kernel has no Landlock, or it is switched off */
int restrict_limits(const struct spec *spec);
int restrict_privileges(void);
int restrict_landlock(const struct spec *spec);
int restrict_seccomp(const struct spec *spec);

#endif
