// Paths as the operating system takes them: text where the bytes are UTF-8, bytes where they are not.
import { Buffer, isUtf8 } from 'node:buffer';

export type NativePath = string | Buffer;

const SLASH = 0x2f;

export function toBytes(path: NativePath): Buffer {
  return typeof path === 'string' ? Buffer.from(path) : path;
}

/** Text when the bytes are UTF-8, so that everything that can be text is text. */
export function fromBytes(bytes: Uint8Array): NativePath {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString('utf8') : buffer;
}

/** For people: bytes that are not UTF-8 show as the replacement character. */
export function displayPath(path: NativePath): string {
  return typeof path === 'string' ? path : path.toString('utf8');
}

export function joinName(directory: NativePath, name: NativePath): NativePath {
  if (typeof directory === 'string' && typeof name === 'string') {
    return directory.endsWith('/') ? directory + name : `${directory}/${name}`;
  }
  const head = toBytes(directory);
  const separator = head[head.length - 1] === SLASH ? [] : [Buffer.from('/')];
  return Buffer.concat([head, ...separator, toBytes(name)]);
}

/** The names on the way from the root, empty and `.` components dropped; `..` is kept for the caller to judge. */
export function componentsOf(path: NativePath): NativePath[] {
  if (typeof path === 'string') return path.split('/').filter((name) => name !== '' && name !== '.');
  const names: NativePath[] = [];
  for (let start = 0; start <= path.length; ) {
    const slash = path.indexOf(SLASH, start);
    const end = slash === -1 ? path.length : slash;
    const name = fromBytes(path.subarray(start, end));
    if (name !== '' && name !== '.') names.push(name);
    start = end + 1;
  }
  return names;
}

/** Without slashes at the end: a trailing slash asks for a directory, and the peer ignores it. */
export function trimTrailingSlashes(path: NativePath): NativePath {
  let end = path.length;
  while (end > 1 && (typeof path === 'string' ? path.charCodeAt(end - 1) : path[end - 1]) === SLASH) end -= 1;
  if (end === path.length) return path;
  return typeof path === 'string' ? path.slice(0, end) : fromBytes(path.subarray(0, end));
}

export function parentOf(path: NativePath): NativePath {
  const trimmed = trimTrailingSlashes(path);
  const slash = typeof trimmed === 'string' ? trimmed.lastIndexOf('/') : trimmed.lastIndexOf(SLASH);
  if (slash <= 0) return '/';
  return typeof trimmed === 'string' ? trimmed.slice(0, slash) : fromBytes(trimmed.subarray(0, slash));
}

/** The last component, or undefined for the root. */
export function nameOf(path: NativePath): NativePath | undefined {
  return componentsOf(path).at(-1);
}

const SURROGATE = /[\ud800-\udfff]/;

export function compareNames(left: NativePath, right: NativePath): number {
  // Without surrogates the order of UTF-16 is that of the bytes, and no bytes have to be made.
  if (
    typeof left === 'string' &&
    typeof right === 'string' &&
    !SURROGATE.test(left) &&
    !SURROGATE.test(right)
  )
    return left < right ? -1 : Number(left > right);
  return Buffer.compare(toBytes(left), toBytes(right));
}

/** Sorts in place. Names are looked at once each, not at every comparison. */
export function sortByName<T extends { readonly name: NativePath }>(entries: T[]): void {
  const isPlain = entries.every(({ name }) => typeof name === 'string' && !SURROGATE.test(name));
  const compare = isPlain ? comparePlainNames : compareNames;
  entries.sort((left, right) => compare(left.name, right.name));
}

function comparePlainNames(left: NativePath, right: NativePath): number {
  return left < right ? -1 : Number(left > right);
}

/** A map key: equal exactly for equal paths, bytes included. */
export function pathKey(path: NativePath): string {
  return typeof path === 'string' ? path : `\0${path.toString('latin1')}`;
}
