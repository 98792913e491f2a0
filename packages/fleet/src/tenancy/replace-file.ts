// Replaces a file as a whole: a full disk or a kill in between leaves the one that was there. Half a list of revoked keys would
// be no list.

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

export function replaceFile(path: string, text: string, mode: number): void {
  const fresh = `${path}.new`;
  try {
    const file = openSync(fresh, 'w', mode);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
