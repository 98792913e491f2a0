// Files of /proc through which a root user changes the whole machine, whatever namespace it is in: the kernel compares
// the user, not the capabilities. `/proc/sys/kernel/core_pattern` alone runs any program outside. bubblewrap covers
// some of them, but not `/proc/sys`. They are mounted read-only over the sandbox's own /proc.
import { lstatSync, readdirSync } from 'node:fs';

let known: readonly string[] | undefined;

/** Every entry of /proc that is not about processes and that this user may write; nothing for an ordinary user. */
export function kernelSettings(): readonly string[] {
  known ??= process.getuid?.() === 0 ? writableEntries() : [];
  return known;
}

// bubblewrap covers `irq`, `bus` and `sysrq-trigger` by itself.
const skipped = /^(\d+|self|thread-self|net|mounts|irq|bus|sysrq-trigger)$/;

function writableEntries(): string[] {
  const names = readdirSync('/proc').filter((name) => !skipped.test(name));
  return names
    .map((name) => `/proc/${name}`)
    .filter((path) => path === '/proc/sys' || hasWritableFile(path, 4));
}

function hasWritableFile(path: string, depth: number): boolean {
  try {
    const stats = lstatSync(path);
    if (stats.isFile()) return (stats.mode & 0o222) !== 0;
    return (
      stats.isDirectory() &&
      depth > 0 &&
      readdirSync(path).some((name) => hasWritableFile(`${path}/${name}`, depth - 1))
    );
  } catch {
    return false;
  }
}
