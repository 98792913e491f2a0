// A directory of the kernel in which there never is anything, and nobody can put anything: what is laid over a name that
// is missing. One read-only mount of it takes the place of a new file system that has to be made, sealed and torn down
// again. Nothing of the host shows through it: it has no content, and what lies above a mount is the directory that it is
// mounted in.
// What it does not stop: an administrator of the host who mounts something over it while this process runs.
import { readdirSync, statfsSync } from 'node:fs';

/** Kept by the kernel for old programs; what it is about is in a file beside it since long ago. */
const candidate = '/proc/tty/ldisc';
const PROC_FILE_SYSTEM = 0x9fa0;

let known: { readonly path: string | undefined } | undefined;

/** Undefined where there is none, as in some containers. Looked for once: the kernel does not change it. */
export function emptyDirectory(): string | undefined {
  known ??= { path: isEmptyProcDirectory(candidate) ? candidate : undefined };
  return known.path;
}

/** False for a directory that something else is mounted on: only in /proc itself is nothing ever created. */
export function isEmptyProcDirectory(path: string): boolean {
  try {
    return statfsSync(path).type === PROC_FILE_SYSTEM && readdirSync(path).length === 0;
  } catch {
    return false;
  }
}
