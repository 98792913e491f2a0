// A stamp remembers what a step was last done for, so that it is skipped when nothing it depends on changed.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './workspace.mjs';

export function hashFiles(paths, extra = '') {
  const hash = createHash('sha256').update(extra);
  for (const path of [...paths].sort()) hash.update(`\0${relative(root, path)}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

export function filesBelow(directory, accept) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'lib'].includes(entry.name) ? [] : filesBelow(path, accept);
    return accept(entry.name) ? [path] : [];
  });
}

export function isStamped(file, value) {
  try {
    return readFileSync(file, 'utf8') === value;
  } catch {
    return false;
  }
}

export function writeStamp(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, value);
}
