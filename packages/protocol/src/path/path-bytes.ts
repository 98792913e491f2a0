// POSIX paths are bytes. Between parsing and formatting they are "binary" strings: one character per byte.
import { runtime } from '../runtime.js';

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

/** As many arguments as every engine takes. */
const BLOCK = 4096;

export function bytesToBinary(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += BLOCK)
    binary += String.fromCharCode(...bytes.subarray(at, at + BLOCK));
  return binary;
}

export function binaryToBytes(binary: string): Uint8Array {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export function toBinary(text: string): string {
  return isAscii(text) ? text : bytesToBinary(new runtime.TextEncoder().encode(text));
}

export function fromBinary(binary: string): { path: string | undefined; bytes: Uint8Array } {
  const bytes = binaryToBytes(binary);
  if (isAscii(binary)) return { path: binary, bytes };
  try {
    const path = new runtime.TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path, bytes };
  } catch {
    return { path: undefined, bytes };
  }
}

/** Removes empty and dot segments; `..` above the root stays at the root. */
export function foldPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}
