// A file of the sources that a document names is there: after a move the document says so too.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const tracked = String(execFileSync('git', ['ls-files'], { cwd: root }))
  .trim()
  .split('\n');
const present = tracked.filter((path) => existsSync(join(root, path))).map((path) => `/${path}`);
const documents = present.filter((path) => path.endsWith('.md') && !path.startsWith('/.changeset/'));

const SOURCE = /`((?:[\w.-]+\/)*[\w-]+\.(?:ts|tsx|mjs|cjs|c|h|py))`/g;

function missingFiles(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  const named = [...text.matchAll(SOURCE)].map(([, name = '']) => name);
  return named.filter((name) => !present.some((file) => file.endsWith(`/${name}`)));
}

describe('files of the sources in the documents', () => {
  it.each(documents)('%s', (path) => {
    expect(missingFiles(path)).toEqual([]);
  });
});
