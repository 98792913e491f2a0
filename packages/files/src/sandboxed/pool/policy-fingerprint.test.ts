import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResolvedPolicy } from '@codex/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PolicyFingerprint } from './policy-fingerprint.js';

let ws = '';
let root = '';
beforeEach(() => {
  ws = realpathSync(mkdtempSync(join(tmpdir(), 'policy-fingerprint-')));
  root = join(ws, 'root');
});
afterEach(() => rmSync(ws, { recursive: true, force: true }));

const policy = (): Pick<ResolvedPolicy, 'rules' | 'protectedNames'> => ({
  rules: [
    { path: root, access: 'write' },
    { path: join(ws, '.env'), access: 'deny' },
  ],
  protectedNames: ['.git', '.codex'],
});
const changes = [
  () => mkdirSync(root),
  () => writeFileSync(join(ws, '.env'), ''),
  () => mkdirSync(join(root, '.git')),
  () => {
    mkdirSync(join(ws, 'other'));
    rmSync(root, { recursive: true });
    renameSync(join(ws, 'other'), root);
  },
];
const mountPoint = (path: string): void => {
  mkdirSync(path);
  chmodSync(path, 0o1755);
};

describe.each([
  ['while the directories are being changed', () => Date.now()],
  ['when all directories have been at rest for long', () => Date.now() + 3_600_000],
])('the fingerprint of a policy %s', (_when, now) => {
  it('changes with what the named paths are, and with nothing else', async () => {
    const fingerprint = new PolicyFingerprint(policy(), now);
    const seen = [fingerprint.read()];
    for (const change of changes) {
      // Beyond the tick of the file system's clock, which the pause before a directory is trusted stands for.
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(fingerprint.read()).toBe(seen.at(-1));
      change();
      seen.push(fingerprint.read());
    }
    expect(new Set(seen).size).toBe(5);
    writeFileSync(join(root, 'file'), '');
    // What a running sandbox puts in the place of a missing name.
    mountPoint(join(root, '.codex'));
    expect(fingerprint.read()).toBe(seen.at(-1));
  });

  it('tells a name that comes to be there in any way', async () => {
    mkdirSync(root);
    const fingerprint = new PolicyFingerprint(policy(), now);
    const without = fingerprint.read();
    const ways = [
      (path: string) => mkdirSync(path),
      (path: string) => writeFileSync(path, ''),
      (path: string) => symlinkSync('..', path),
      (path: string) => {
        mkdirSync(join(ws, 'made'));
        renameSync(join(ws, 'made'), path);
      },
    ];
    for (const appear of ways) {
      expect([fingerprint.read(), fingerprint.read()]).toEqual([without, without]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      appear(join(root, '.git'));
      expect(fingerprint.read()).not.toBe(without);
      rmSync(join(root, '.git'), { recursive: true });
    }
  });

  it('tells that the target of a link to nowhere has appeared, with which its directory does not change', () => {
    mkdirSync(root);
    mkdirSync(join(ws, 'elsewhere'));
    symlinkSync(join(ws, 'elsewhere/repository'), join(root, '.git'));
    const fingerprint = new PolicyFingerprint(policy(), now);
    const without = fingerprint.read();
    expect(fingerprint.read()).toBe(without);
    mkdirSync(join(ws, 'elsewhere/repository'));
    expect(fingerprint.read()).not.toBe(without);
  });

  it('tells a mount point that somebody has made his own', () => {
    mkdirSync(root);
    mountPoint(join(root, '.git'));
    const fingerprint = new PolicyFingerprint(policy(), now);
    const before = fingerprint.read();
    expect(fingerprint.read()).toBe(before);
    writeFileSync(join(root, '.git/HEAD'), '');
    expect(fingerprint.read()).not.toBe(before);
  });
});

it('a directory that has just been changed is not trusted: the next change may bear the same time', () => {
  mkdirSync(root);
  const changedAt = statSync(root).ctimeMs;
  const fingerprint = new PolicyFingerprint(policy(), () => changedAt + 100);
  const without = fingerprint.read();
  mkdirSync(join(root, '.git'));
  expect(fingerprint.read()).not.toBe(without);
});
