// A file system whose clock ticks slowly: what is changed within one tick bears the same time.
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { PolicyFingerprint } from './policy-fingerprint.js';

const CHANGED_AT = 1_000_000_000_000;

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  const statSync = (path: string): fs.Stats | undefined => {
    const stats = real.statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined) stats.ctimeMs = CHANGED_AT;
    return stats;
  };
  return { ...real, statSync };
});

it('a directory is not trusted before the longest tick is over', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'policy-fingerprint-ticks-'));
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const policy = { rules: [{ path: root, access: 'write' }], protectedNames: ['.git'] } as const;
  const fingerprint = new PolicyFingerprint(policy, () => CHANGED_AT + 2_000);
  const without = fingerprint.read();
  fs.mkdirSync(join(root, '.git'));
  expect(fingerprint.read()).not.toBe(without);
});
