// Finds the launcher program: built from this checkout, or shipped with the package.
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

const PROGRAM = 'codex-launcher';

/** Undefined when there is none for this machine. A bundled application passes its own path to createLauncher. */
export function locateLauncherProgram(): string | undefined {
  const target = `${process.platform}-${process.arch}`;
  for (const root of packageRoots()) {
    for (const place of [join(root, 'native', 'build'), join(root, 'prebuilt')]) {
      const file = join(place, target, PROGRAM);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

/** This file is src/native/*.ts in a checkout and dist/*.js (one bundle) in the package. */
function packageRoots(): string[] {
  const here = import.meta.dirname;
  return [join(here, '..', '..'), join(here, '..')];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK | constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
