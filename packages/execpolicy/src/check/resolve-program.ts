// Which program a command names, as a path: for rules that name programs and not paths.

import { homedir } from 'node:os';
import { posix } from 'node:path';

export interface ResolvedProgram {
  readonly path: string;
  readonly name: string;
}

/** A relative path starts at the current directory, `~` is the home directory; links are not followed. */
export function resolveProgram(program: string): ResolvedProgram | undefined {
  const isInHome = program === '~' || program.startsWith('~/');
  const path = isInHome ? posix.resolve(homedir(), `./${program.slice(1)}`) : posix.resolve(program);
  const name = posix.basename(path);
  return name === '' ? undefined : { path, name };
}
