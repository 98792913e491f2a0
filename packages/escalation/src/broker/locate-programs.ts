// Finds the native programs: built from this checkout, or shipped with the package.
import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EscalationError } from '../escalation-error.js';

export interface EscalationPrograms {
  /** `codex-execve-wrapper`, which Bash executes in place of every program. */
  readonly wrapper: string;
  /** `codex-escalation-broker`, which starts the shell and what runs outside. */
  readonly broker: string;
  readonly preload: string;
}

export function locatePrograms(): EscalationPrograms {
  const target = `${process.platform}-${process.arch}`;
  for (const root of packageRoots()) {
    for (const place of [join(root, 'native', 'build'), join(root, 'prebuilt')]) {
      const programs = {
        wrapper: join(place, target, 'codex-execve-wrapper'),
        broker: join(place, target, 'codex-escalation-broker'),
        preload: join(place, target, 'codex-bash-preload.so'),
      };
      if (areUsable(programs)) return programs;
    }
  }
  throw new EscalationError(
    'NO_WRAPPER',
    `there is no codex-execve-wrapper for ${target}: a C compiler and the set-up build it (npm run setup)`,
  );
}

/** This file is src/broker/*.ts in a checkout and dist/*.js (one bundle) in the package. */
function packageRoots(): string[] {
  const here = dirname(fileURLToPath(import.meta.url));
  return [join(here, '..', '..'), join(here, '..')];
}

function areUsable({ wrapper, broker, preload }: EscalationPrograms): boolean {
  return (
    isUsable(wrapper, constants.X_OK) && isUsable(broker, constants.X_OK) && isUsable(preload, constants.R_OK)
  );
}

function isUsable(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch {
    return false;
  }
}
