// Every relative link of the documents leads somewhere, headings included.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const documents = String(execFileSync('git', ['ls-files', '*.md'], { cwd: root }))
  .trim()
  .split('\n')
  .filter((path) => !path.startsWith('.changeset/'));

const anchorsOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );

function brokenLinks(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? join(root, path) : join(root, dirname(path), file);
    if (!existsSync(target)) return [link];
    return anchor === undefined || anchorsOf(target).includes(anchor) ? [] : [link];
  });
}

describe('links of the documents', () => {
  it.each(documents)('%s', (path) => {
    expect(brokenLinks(path)).toEqual([]);
  });
});
