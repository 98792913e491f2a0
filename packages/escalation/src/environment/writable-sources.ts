// Variables of the session itself that make a program outside load code or settings from where the sandboxed side can write: the
// PYTHONPATH of the project that is worked on, a NODE_OPTIONS with a relative path.
//
// What it does not stop: names that are not on the list of refused ones, and HOME, which every program needs.
import { isRefusedName } from './refused-names.js';

/** Needed, and dealt with elsewhere (PATH) or no source of code by themselves. */
const KEPT: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'SHELL',
  'TMPDIR',
  'SSH_AUTH_SOCK',
  'XDG_RUNTIME_DIR',
]);
/** Lists of folders, in which whatever does not begin at the root is searched from the working directory on. */
const SEARCH_LIST = /(?:PATH|LIB)$/;
const SEPARATORS = /[\s:;,='"]+/;

export function leadsToWritable(
  [name, value]: readonly [string, string],
  isWritable: (path: string) => boolean,
): boolean {
  if (KEPT.has(name) || !isRefusedName(name)) return false;
  if (SEARCH_LIST.test(name) && value.split(/[:;]/).some((folder) => !folder.startsWith('/'))) return true;
  return value.split(SEPARATORS).some((part) => isRelative(part) || absolutePaths(part).some(isWritable));
}

function isRelative(part: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(part);
}

/** Also behind an option: `-I/project/lib`. */
function absolutePaths(part: string): string[] {
  const start = part.indexOf('/');
  return start === -1 ? [] : [part.slice(start)];
}
