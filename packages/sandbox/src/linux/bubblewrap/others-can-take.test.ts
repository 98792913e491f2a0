import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { othersCanTake } from './others-can-take.js';

function folder(mode: number): string {
  const path = mkdtempSync(join(homedir(), '.others-can-take-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  mkdirSync(join(path, 'ours/deep'), { recursive: true });
  symlinkSync('ours', join(path, 'link'));
  chmodSync(path, mode);
  return path;
}

it('is so where all users may make names and remove those of others', () => {
  const path = folder(0o777);
  for (const name of ['ours', 'ours/deep', 'missing', 'ours/deep/missing'])
    expect(othersCanTake(join(path, name))).toBe(true);
});

it.each([0o755, 0o775, 0o1777])(
  'is not so in a directory of mode %o, nor for what a link leads to',
  (mode) => {
    const path = folder(mode);
    for (const name of ['ours', 'ours/deep', 'missing', 'link/deep'])
      expect(othersCanTake(join(path, name))).toBe(false);
    expect(othersCanTake('/bin/sh')).toBe(false);
  },
);
