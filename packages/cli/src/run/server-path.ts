// Resolves paths in the syntax of the server's machine.

import { posix } from 'node:path';
import type { EnvironmentInfo } from '@codex/exec-protocol';
import { parsePathInput } from '@codex/exec-protocol';
import { RunFlagError } from './run-flags.js';

/** Relative paths start where the server runs. */
export function serverPath(path: string, { cwd }: Pick<EnvironmentInfo, 'cwd'>): string {
  if (posix.isAbsolute(path)) return posix.normalize(path);
  if (cwd == null) throw new RunFlagError(`this server does not say where it runs: ${path} must be absolute`);
  return posix.resolve(parsePathInput(cwd).path, path);
}
