// What mounts cannot protect and is put right after the command. Protected names that are symbolic links: Nothing can be mounted on a link, so the command could replace it; its
// target is mounted read-only, and after the command the link is put back. Until then, programs outside see the
// replacement, and if this process is killed meanwhile it stays.
import { lstatSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import type { CrossedLink } from './path-inspector.js';

/** Restores what was changed and says so, one sentence each. */
export function restoreGuardedLinks(links: readonly CrossedLink[]): string[] {
  const violations: string[] = [];
  for (const link of links) {
    if (readTarget(link.path) === link.target) continue;
    const aside = moveAside(link.path);
    try {
      symlinkSync(link.target, link.path);
      violations.push(
        `the command replaced the protected link ${link.path}; it was put back` +
          (aside === undefined ? '' : `, the replacement is kept as ${aside}`),
      );
    } catch (error) {
      violations.push(
        `the command replaced the protected link ${link.path}, and it could not be put back: ${String(error)}`,
      );
    }
  }
  return violations;
}

/** Deletes what the command created where nothing may be left, and says so. */
export function removeForbidden(paths: readonly string[]): string[] {
  const violations: string[] = [];
  for (const path of paths) {
    if (!exists(path)) continue;
    try {
      rmSync(path, { recursive: true, force: true });
      violations.push(`the command created ${path}; it was removed`);
    } catch (error) {
      violations.push(`the command created ${path}, and it could not be removed: ${String(error)}`);
    }
  }
  return violations;
}

function readTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function moveAside(path: string): string | undefined {
  for (let count = 1; count < 1000; count += 1) {
    const aside = `${path}.replaced-in-sandbox-${count}`;
    if (exists(aside)) continue;
    try {
      renameSync(path, aside);
      return aside;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
