// `host_executable`: which paths a program's name may stand for.

import { posix } from 'node:path';

export class HostExecutables {
  readonly #pathsByName = new Map<string, ReadonlySet<string>>();

  /** A later definition of a name replaces the earlier one. */
  define(name: string, paths: readonly string[]): void {
    this.#pathsByName.set(name, new Set(paths));
  }

  /** True for a name that no rule file has defined. */
  mayStandFor(name: string, path: string): boolean {
    return this.#pathsByName.get(name)?.has(path) ?? true;
  }

  list(): ReadonlyMap<string, readonly string[]> {
    return new Map([...this.#pathsByName].map(([name, paths]) => [name, [...paths]]));
  }
}

/** The fault of a name, if it has one. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'the name of a host_executable cannot be empty';
  if (name.includes('/') || name === '.' || name === '..') {
    return `the name of a host_executable is a bare name, not ${JSON.stringify(name)}`;
  }
  return undefined;
}

export function pathProblem(name: string, path: string): string | undefined {
  if (!path.startsWith('/')) return `a path of a host_executable is absolute, not ${JSON.stringify(path)}`;
  const last = posix.basename(plainPath(path));
  return last === name
    ? undefined
    : `the path ${JSON.stringify(path)} does not end with ${JSON.stringify(name)}`;
}

/** Without `.`, `..` and double slashes; links are not followed. */
export function plainPath(path: string): string {
  return posix.resolve('/', path);
}
