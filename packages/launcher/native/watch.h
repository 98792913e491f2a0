#ifndef CODEX_WATCH_H
#define CODEX_WATCH_H

/* `codex-launcher --watch`: an inotify instance behind a pair of pipes. Returns the exit code. */
int watch_main(void);

#endif
