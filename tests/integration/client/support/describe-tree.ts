// What a tree is, so that two can be compared.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Kind, mode, time and contents of everything below. */
export function describeTree(root: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(root, name);
    const stats = lstatSync(path);
    const mode = stats.mode & 0o777;
    if (stats.isSymbolicLink()) found[name] = readlinkSync(path);
    else if (stats.isDirectory()) found[name] = [mode, Math.floor(stats.mtimeMs)];
    else found[name] = [mode, Math.floor(stats.mtimeMs), digest(readFileSync(path))];
  }
  return found;
}
