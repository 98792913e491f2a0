// Lexical path arithmetic on absolute POSIX paths. Nothing here looks at the disk.
import { posix } from 'node:path';

/** Absolute, `.` and `..` folded, no trailing slash. The caller has checked that `path` is absolute. */
export function normalizePath(path: string): string {
  const folded = posix.normalize(path);
  return folded.length > 1 && folded.endsWith('/') ? folded.slice(0, -1) : folded;
}

export function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') && !path.includes('\0');
}

export function isWithin(path: string, ancestor: string): boolean {
  return ancestor === '/' || path === ancestor || path.startsWith(`${ancestor}/`);
}

export function parentPath(path: string): string {
  return posix.dirname(path);
}

export function joinPath(base: string, relative: string): string {
  return normalizePath(`${base}/${relative}`);
}

export function pathComponents(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

/** Parents before children, siblings together: comparing with `/` as the lowest character gives tree order. */
export function inTreeOrder<T>(items: Iterable<T>, pathOf: (item: T) => string): T[] {
  const keyed = Array.from(items, (item) => ({ item, key: pathOf(item).replaceAll('/', '\0') }));
  keyed.sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}
