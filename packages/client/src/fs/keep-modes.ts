// Keeps private files private: what others may not read here they may not read there. The protocol creates files with
// the server's own default mode, so what is more private is created empty, closed to others, and only then filled. Bits
// are only taken away: a target that is more private than its source stays so. Bits of the owner, and those that allow
// more than the default, are not copied.

import { ExecServerError } from '../exec-server-error.js';
import type { LocalEntry } from '../platform.js';
import type { FsContext, FsOptions } from './fs-context.js';

const FILE_DEFAULT = 0o044;
const DIRECTORY_DEFAULT = 0o055;
/** Arguments of one command stay far below what systems take. */
const PATHS_AT_ONCE = 200;
const CHMOD_MS = 30_000;

/** The bits of group and others that a new entry may have there and the local one does not have. */
export function bitsToTake({ kind, mode }: Pick<LocalEntry, 'kind' | 'mode'>): number {
  if (mode === undefined) return 0;
  return (kind === 'file' ? FILE_DEFAULT : DIRECTORY_DEFAULT) & ~mode;
}

/** As `chmod` takes it: `g-rw,o-rw`. Write goes with read: write alone has no use. */
export function removalOf(bits: number): string {
  const classes = [
    ['g', bits >> 3],
    ['o', bits],
  ] as const;
  return classes
    .filter(([, taken]) => (taken & 0o7) !== 0)
    .map(([name, taken]) => `${name}-${(taken & 0o4) !== 0 ? 'rw' : 'w'}${(taken & 0o1) !== 0 ? 'x' : ''}`)
    .join(',');
}

/** Takes the bits away on the server. `byRemoval` names the paths for each `removalOf`. */
export async function closeModes(
  fs: FsContext,
  byRemoval: ReadonlyMap<string, readonly string[]>,
  options: FsOptions,
): Promise<void> {
  for (const [removal, paths] of byRemoval) {
    for (let start = 0; start < paths.length; start += PATHS_AT_ONCE) {
      await chmod(fs, [removal, '--', ...paths.slice(start, start + PATHS_AT_ONCE)], options);
    }
  }
}

async function chmod(fs: FsContext, args: readonly string[], options: FsOptions): Promise<void> {
  const { ok, stderr } = await fs.run(['chmod', ...args], {
    timeoutMs: CHMOD_MS,
    ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (ok) return;
  const [, , path = ''] = args;
  const why = stderr.text.trim();
  throw new ExecServerError('fs.io', `${path}: cannot be made as private as its source: ${why}`, {
    details: { path },
    hint: 'Nothing of its contents was sent.',
  });
}
