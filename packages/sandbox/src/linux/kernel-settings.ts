// Files of /proc through which a root user changes the whole machine, whatever namespace it is in: the kernel compares
// the user, not the capabilities. `/proc/sys/kernel/core_pattern` alone runs any program outside. bubblewrap covers
// some of them, but not `/proc/sys`. They are mounted read-only over the sandbox's own /proc.
import { readdirSync, statSync } from 'node:fs';

let known: readonly string[] | undefined;

/** Every entry of /proc that is not about processes and that this user may write; nothing for an ordinary user. */
export function kernelSettings(): readonly string[] {
  known ??= process.getuid?.() === 0 ? writableEntries() : [];
  return known;
}

function writableEntries(): string[] {
  const names = readdirSync('/proc').filter((name) => !/^(\d+|self|thread-self|net|mounts)$/.test(name));
  return names
    .map((name) => `/proc/${name}`)
    .filter((path) => {
      try {
        const stats = statSync(path);
        // Directories are covered as a whole: what is writable below them differs from machine to machine.
        return stats.isDirectory() || (stats.mode & 0o222) !== 0;
      } catch {
        return false;
      }
    });
}
