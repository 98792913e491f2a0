// Whether another user can take a name away. What covers such a name is not looked after: a sandbox is ended when a cover is gone, and
// nobody is to end the commands of others by removing something from `/tmp`.
import { lstatSync, statSync } from 'node:fs';
import { parentPath } from '../../policy/path-text.js';

const STICKY = 0o1000;
const WRITABLE_BY_ALL = 0o002;

/** What stands there counts, and every directory on the way. One that has gone meanwhile is nobody's. */
export function othersCanTake(path: string): boolean {
  try {
    return isExposed(path);
  } catch {
    return false; // not to be looked at by us
  }
}

function isExposed(path: string): boolean {
  for (let at = path; at !== '/'; at = parentPath(at)) {
    const around = statSync(parentPath(at), { throwIfNoEntry: false });
    if (around === undefined || (around.mode & WRITABLE_BY_ALL) === 0) continue;
    if ((around.mode & STICKY) === 0) return true;
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found !== undefined && !isOursOrRoots(found.uid)) return true;
  }
  return false;
}

const isOursOrRoots = (uid: number): boolean => uid === 0 || uid === process.geteuid?.();
