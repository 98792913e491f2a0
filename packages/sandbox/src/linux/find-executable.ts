// Finds a program in a PATH that the caller trusts.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { posix } from 'node:path';

/** The real path of the first executable file of that name; relative PATH entries are skipped. */
export function findExecutable(name: string, searchPath: string): string | undefined {
  for (const directory of searchPath.split(':')) {
    if (!directory.startsWith('/')) continue;
    const candidate = posix.join(directory, name);
    try {
      accessSync(candidate, constants.X_OK);
      if (statSync(candidate).isFile()) return realpathSync(candidate);
    } catch {
      // Not here.
    }
  }
  return undefined;
}
