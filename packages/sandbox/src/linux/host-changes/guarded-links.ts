// Protected names that are symbolic links. Nothing can be mounted on a link, so the command could replace it; its target
// is mounted read-only, and after the command the link is put back in the directory that was held meanwhile. Until then,
// programs outside see the replacement, and if this process is killed meanwhile it stays.
import { readlinkSync, symlinkSync } from 'node:fs';
import { SandboxError } from '../../errors.js';
import type { HeldDirectory } from './held-directory.js';
import { moveAside } from './move-aside.js';

export interface HeldLink {
  readonly directory: HeldDirectory;
  readonly name: string;
  readonly target: string;
}

/** What is held is what was looked at: otherwise a link would be put back where none was. */
export function checkLink({ directory, name, target }: HeldLink): void {
  if (readTarget(directory, name) === target) return;
  throw new SandboxError(
    'SANDBOX_PREPARE_FAILED',
    `the link ${directory.path}/${name} was changed while the sandbox was prepared`,
  );
}

/** Restores what was changed and says so, one sentence each. */
export function restoreLinks(links: readonly HeldLink[]): string[] {
  return links.flatMap(restore);
}

function restore({ directory, name, target }: HeldLink): string[] {
  if (readTarget(directory, name) === target) return [];
  const path = `${directory.path}/${name}`;
  const replaced = `the protected link ${path} was replaced while the command ran`;
  if (!directory.isInPlace()) {
    return [`${replaced}, and so was its directory; nothing was put back`];
  }
  try {
    const aside = moveAside(directory, name, 'replaced-in-sandbox');
    symlinkSync(target, directory.entry(name));
    return [
      `${replaced}; it was put back${aside === undefined ? '' : `, the replacement is kept as ${directory.path}/${aside}`}`,
    ];
  } catch (error) {
    return [`${replaced}, and it could not be put back: ${(error as Error).message}`];
  }
}

function readTarget(directory: HeldDirectory, name: string): string | undefined {
  try {
    return readlinkSync(directory.entry(name));
  } catch {
    return undefined;
  }
}
