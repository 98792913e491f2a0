// Every example of the package's README runs as it stands and prints what the README says.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
const readme = readFileSync(new URL('../../../packages/sandbox/README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)].map(
  ([, code = '', output = '']) => ({ code, output }),
);
const scratch = mkdtempSync(`${here}readme-example-`);
const workspace = realpathSync(mkdtempSync('/var/tmp/sandbox-test-'));
afterAll(() => {
  for (const path of [scratch, workspace]) rmSync(path, { recursive: true, force: true });
});

it('no example is without its output', () => {
  expect(examples).toHaveLength(readme.match(/```ts/g)?.length ?? 0);
});

it.each(examples)('example %#', ({ code, output }) => {
  const file = `${scratch}/example.mts`;
  writeFileSync(file, code);
  const args = ['--conditions=@codex/source', '--import', import.meta.resolve('tsx'), file];
  expect(execFileSync(process.execPath, args, { cwd: workspace, encoding: 'utf8' })).toBe(output);
});
