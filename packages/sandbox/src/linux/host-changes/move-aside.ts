// Gives something another name in its own directory, so that it does no harm under the old one and is not lost.
import { renameSync } from 'node:fs';
import { SandboxError } from '../../errors.js';
import type { HeldDirectory } from './held-directory.js';

/** The new name, or undefined when there was nothing. */
export function moveAside(directory: HeldDirectory, name: string, why: string): string | undefined {
  if (directory.look(name) === undefined) return undefined;
  for (let count = 1; count < 1000; count += 1) {
    const aside = `${name}.${why}-${count}`;
    if (directory.look(aside) !== undefined) continue;
    renameSync(directory.entry(name), directory.entry(aside));
    return aside;
  }
  throw new SandboxError('SANDBOX_PREPARE_FAILED', `${directory.path}/${name} was moved aside too often`);
}
