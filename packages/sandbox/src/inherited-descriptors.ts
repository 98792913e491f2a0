// Descriptors that this process was started with and that its children would inherit. Node marks its own as private,
// but not what its parent left open; in a sandbox such a descriptor is a way out.
import { readdirSync, readFileSync } from 'node:fs';

const closeOnExec = 0o2000000;
let known: readonly number[] | undefined;

/** Found once: everything opened later is private to this process. */
export function inheritedDescriptors(): readonly number[] {
  known ??= readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd > 2 && isInherited(fd));
  return known;
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false;
  }
}
