// Removes mount points and forbidden files after this process was killed. One small shell per process, started with the first mount point:
// it learns their names through a pipe and waits for the pipe to close. Where the shell is killed as well, the next
// sandbox over the same directory cleans up.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { ownUseOf } from './host-mount-points.js';

// rmdir removes nothing but empty directories, and a mark bears the name of this process, so a late or repeated call does
// no harm; the forbidden files are ones that have no business where they are. The pause lets the sandboxes die first: they
// end with this process, and removing a mount point takes its mount away.
const script = `trap '' INT TERM HUP
while IFS= read -r line; do set -- "$@" "$line"; done
sleep 0.3
for line in "$@"; do case "$line" in
  d*) rmdir "${'$'}{line#d}";;
  m*) rm -f "${'$'}{line#m}" || rmdir "${'$'}{line#m}";;
  f*) rm -rf "${'$'}{line#f}";;
esac; done`;

export class CrashJanitor {
  #child: ChildProcess | undefined;
  readonly #known = new Set<string>();

  watchMountPoint(path: string): void {
    this.#watch(path, [`m${ownUseOf(path)}`, `d${path}`]);
  }

  /** A path that must not exist, not even after a crash. */
  watchForbidden(path: string): void {
    this.#watch(path, [`f${path}`]);
  }

  /** Lets the shell go when nothing is mounted any more; the next mount point starts a new one. */
  close(): void {
    this.#child?.stdin?.end();
    this.#child = undefined;
    this.#known.clear();
  }

  #watch(path: string, lines: readonly string[]): void {
    // A line is the unit of the pipe; such a name is left to the next sandbox.
    if (this.#known.has(path) || path.includes('\n')) return;
    this.#known.add(path);
    this.#start().stdin?.write(`${lines.join('\n')}\n`);
  }

  #start(): ChildProcess {
    if (this.#child !== undefined) return this.#child;
    const child = spawn('/bin/sh', ['-c', script], {
      cwd: '/',
      detached: true,
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const forget = (): void => {
      if (this.#child === child) this.close();
    };
    child.on('error', forget);
    child.on('exit', forget);
    child.unref();
    // A pipe to a child is a socket, and must not keep this process alive. Short of descriptors Node makes none at all:
    // then nothing is watched until the next call, which starts anew.
    const stdin = child.stdin as unknown as Socket | undefined;
    stdin?.on('error', () => undefined);
    stdin?.unref();
    this.#child = child;
    return child;
  }
}
