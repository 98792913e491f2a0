// Checks that granted paths still are the files that they were when the sandbox was asked for.
import { statSync } from 'node:fs';
import type { GrantedPlace } from '../../helper-protocol/guard-policy.js';

/**
 * The first granted path that shows something else inside the sandbox than it did outside: it was replaced in the
 * moment between looking at it and mounting it, maybe by a link that leads out. /proc and /dev are always the
 * sandbox's own.
 */
export function swappedPlace(places: readonly GrantedPlace[]): string | undefined {
  return places.find(({ path, device, inode }) => {
    if (/^\/(proc|dev)(\/|$)/.test(path)) return false;
    const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
    return stats === undefined || String(stats.dev) !== device || String(stats.ino) !== inode;
  })?.path;
}
