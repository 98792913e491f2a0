// The arguments of the file tools, checked by hand: what a model leaves out may be null.

import { posix } from 'node:path';
import type { JsonObject } from '../server/description.js';
import { InvalidCallError } from '../server/invalid-call-error.js';

/** Relative paths start at the working directory of the commands. */
export function pathArgument(args: JsonObject, cwd: string): string {
  const path = textArgument(args, 'path');
  if (path === '') throw new InvalidCallError('`path` is empty; give the path of a file or a folder');
  if (path.includes('\0')) throw new InvalidCallError('`path` has a NUL character, which no path can have');
  return posix.resolve(cwd, path);
}

export function textArgument(args: JsonObject, name: string): string {
  const value = args[name];
  if (value === undefined || value === null)
    throw new InvalidCallError(`\`${name}\` is missing; it is a string`);
  if (typeof value !== 'string') throw new InvalidCallError(`\`${name}\` must be a string`);
  // It has no bytes: another text would be written than the one that was asked for.
  if (/\p{Surrogate}/u.test(value))
    throw new InvalidCallError(`\`${name}\` holds a lone surrogate; leave that character out`);
  return value;
}

export function countArgument(args: JsonObject, name: string, otherwise: number): number {
  const value = args[name];
  if (value === undefined || value === null) return otherwise;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    throw new InvalidCallError(`\`${name}\` must be a whole number from 1`);
  }
  return value;
}
