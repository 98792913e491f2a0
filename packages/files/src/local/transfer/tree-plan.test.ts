import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileExcludes, type TreeCursor } from '@codex/exec-protocol';
import { expect, it, onTestFinished } from 'vitest';
import type { NativePath } from '../../native-path.js';
import { FileCalls } from '../calls/file-calls.js';
import { planTree } from './tree-plan.js';

/** Puts a directory in the place of a link between the look at it and the question where it leads. */
class SwappingCalls extends FileCalls {
  override readlink(path: NativePath): Promise<NativePath> {
    rmSync(path);
    mkdirSync(path);
    return super.readlink(path);
  }
}

it('leaves out what becomes something else meanwhile, and goes on', async () => {
  const root = mkdtempSync(join(tmpdir(), 'tree-plan-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  symlinkSync('b', join(root, 'a'));
  writeFileSync(join(root, 'b'), '');
  const excludes = compileExcludes([]);
  if (excludes === undefined) throw new TypeError('no excludes');
  const { entries } = await planTree(new SwappingCalls(), root, { excludes, after: undefined });
  expect(entries.map(({ path }) => path)).toEqual(['', 'b']);
});

it('ends when there is enough, and goes on behind it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'tree-plan-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'a'));
  for (const name of ['a/1', 'a/2', 'b', 'c']) writeFileSync(join(root, name), 'x'.repeat(100));
  const excludes = compileExcludes([]);
  if (excludes === undefined) throw new TypeError('no excludes');
  const parts = async (enoughBytes: number): Promise<string[][]> => {
    const found: string[][] = [];
    for (let after: TreeCursor | undefined; ; ) {
      const plan = await planTree(new FileCalls(), root, { excludes, after, enoughBytes });
      if (plan.entries.length > 0) found.push(plan.entries.map(({ path }) => path));
      if (!plan.isFull) return found;
      after = { path: plan.reached, offset: 0 };
    }
  };
  expect(await parts(400)).toEqual([['', 'a', 'a/1'], ['a/2', 'b'], ['c']]);
  expect(await parts(0)).toEqual([[''], ['a'], ['a/1'], ['a/2'], ['b'], ['c']]);
});
