// Removes mount points after this process was killed. One small shell per process, started with the first mount point:
// it learns their names through a pipe and waits for the pipe to close. Where the shell is killed as well, the next
// sandbox over the same directory cleans up.
import { type ChildProcess, spawn } from 'node:child_process';
import { ownUseOf } from './host-mount-points.js';

// rmdir removes nothing but empty directories, so a late or repeated call does no harm. The pause lets the sandboxes
// die first: they end with this process, and removing a mount point takes its mount away.
const script = `trap '' INT TERM HUP
while IFS= read -r path; do set -- "$@" "$path"; done
sleep 0.3
for path in "$@"; do rmdir "$path"; done`;

export class CrashJanitor {
  #child: ChildProcess | undefined;
  readonly #known = new Set<string>();

  watch(path: string): void {
    // A line is the unit of the pipe; such a name is left to the next sandbox.
    if (this.#known.has(path) || path.includes('\n')) return;
    this.#known.add(path);
    this.#start()?.stdin?.write(`${ownUseOf(path)}\n${path}\n`);
  }

  #start(): ChildProcess | undefined {
    if (this.#child !== undefined) return this.#child;
    const child = spawn('/bin/sh', ['-c', script], {
      cwd: '/',
      detached: true,
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.on('error', () => undefined);
    child.stdin?.on('error', () => undefined);
    child.unref();
    (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    this.#child = child;
    return child;
  }
}
