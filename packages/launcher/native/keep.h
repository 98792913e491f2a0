/* Ends a sandbox that Node has started by itself when one of its mounts is gone. */
#ifndef CODEX_KEEP_H
#define CODEX_KEEP_H

/* `wrapper`: the pid of what makes the sandbox, a child of our own parent. */
int keep_main(const char *wrapper);

#endif
