// Paths of entries in a tree, as both ends check them: a tree stays below its root, whatever the other end says.
// What it does not stop: a directory below the root that is a link already. The writer opens every name on the way
// without following links.
import { MAX_TREE_DEPTH } from '../limits.js';

/** As many names as there may be, of 255 characters each. What is longer is not looked at. */
const MAX_TREE_PATH = 256 * MAX_TREE_DEPTH;

/** The names of a relative path, none for the root; undefined for a path that is none or leads elsewhere. */
export function treeNames(path: string): readonly string[] | undefined {
  if (path === '') return [];
  if (path.length > MAX_TREE_PATH) return undefined;
  const names = path.split('/');
  return names.length <= MAX_TREE_DEPTH && names.every(isName) ? names : undefined;
}

function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('\0');
}

/**
 * Whether a link stays inside the tree. `..` counts only at the beginning of the target: behind a name, which may be a link
 * itself, nothing can be said about where it leads.
 */
export function staysInside(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false;
  if (target.length > MAX_TREE_PATH) return false;
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  const firstName = names.findIndex((name) => name !== '..');
  const ups = firstName === -1 ? names.length : firstName;
  return ups < path.split('/').length && !names.slice(ups).includes('..');
}
