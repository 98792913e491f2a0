// Removes mount points and forbidden files after this process was killed. One small shell per process, started with the first mount point:
// it learns their names through a pipe and waits for the pipe to close. Where the shell is killed as well, the next
// sandbox over the same directory cleans up.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { ownUseOf } from './mount-point-marks.js';

// rmdir removes nothing but empty directories, and a mark bears the name of this process, so a late or repeated call does
// no harm; the forbidden files are ones that have no business where they are while a command runs (`k`: it has ended,
// whoever makes them now may). The pause lets the sandboxes die first: they end with this process, and removing a mount
// point takes its mount away. `q`: nothing is in use, so there is nothing to do.
const script = `trap '' INT TERM HUP
while IFS= read -r line; do case "$line" in
  q) exit;;
  k*) for each do shift; [ "$each" = "f${'$'}{line#k}" ] || set -- "$@" "$each"; done;;
  *) set -- "$@" "$line";;
esac; done
sleep 0.3
for line in "$@"; do case "$line" in
  d*) rmdir "${'$'}{line#d}";;
  m*) rm -f "${'$'}{line#m}" || rmdir "${'$'}{line#m}";;
  f*) rm -rf "${'$'}{line#f}";;
esac; done`;

export class CrashJanitor {
  #child: ChildProcess | undefined;
  readonly #known = new Set<string>();
  readonly #forbidden = new Map<string, number>();
  #sandboxes = 0;
  #closing = false;

  /** A sandbox is about to use what it has watched here; `leave` when it is done. */
  enter(): void {
    this.#sandboxes += 1;
  }

  leave(): void {
    this.#sandboxes -= 1;
    this.#closeWhenIdle();
  }

  watchMountPoint(path: string): void {
    this.#watch(`m${ownUseOf(path)}\nd${path}\n`, path);
  }

  /** A path that must not exist, not even after a crash, until as many calls of `allow`. */
  watchForbidden(path: string): void {
    this.#forbidden.set(path, (this.#forbidden.get(path) ?? 0) + 1);
    this.#watch(`f${path}\n`, path);
  }

  allow(path: string): void {
    const left = (this.#forbidden.get(path) ?? 0) - 1;
    if (left > 0) {
      this.#forbidden.set(path, left);
      return;
    }
    this.#forbidden.delete(path);
    if (this.#known.delete(`f${path}\n`)) this.#child?.stdin?.write(`k${path}\n`);
  }

  /** Lets the shell go as soon as no sandbox is in use any more; the next one starts a new one. */
  close(): void {
    this.#closing = true;
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (!this.#closing || this.#sandboxes > 0) return;
    this.#closing = false;
    this.#child?.stdin?.end('q\n');
    this.#forget();
  }

  #forget(): void {
    this.#child = undefined;
    this.#known.clear();
  }

  #watch(lines: string, path: string): void {
    // A line is the unit of the pipe; such a name is left to the next sandbox.
    if (this.#known.has(lines) || path.includes('\n')) return;
    this.#known.add(lines);
    this.#start().stdin?.write(lines);
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
      if (this.#child === child) this.#forget();
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
