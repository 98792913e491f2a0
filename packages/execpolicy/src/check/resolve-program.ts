// Resolves the program of a command to a path, for rules that name programs and not paths.

import { homedir } from 'node:os';
import { posix } from 'node:path';

interface Surroundings {
  readonly cwd?: string;
  readonly home?: string;
}

export interface ResolvedProgram {
  readonly path: string;
  readonly name: string;
}

/** A relative path starts at the current directory, `~` is the home directory; links are not followed. */
export function resolveProgram(
  program: string,
  { cwd = process.cwd(), home = homedir() }: Surroundings = {},
): ResolvedProgram | undefined {
  const isInHome = program === '~' || program.startsWith('~/');
  const path = isInHome ? posix.resolve(home, `./${program.slice(1)}`) : posix.resolve(cwd, program);
  const name = posix.basename(path);
  return name === '' ? undefined : { path, name };
}
