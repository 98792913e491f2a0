// A tree with read-only files goes there and back, again and again, for a user whom permissions bind.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { programForAnyone } from '../program-for-anyone.js';

const NOBODY = 65_534;

it('read-only files and directories are written again, also in pieces', () => {
  const fixture = fileURLToPath(new URL('./fixtures/trees-of-an-ordinary-user.ts', import.meta.url));
  const isRoot = process.getuid?.() === 0;
  const result = spawnSync(process.execPath, [programForAnyone(fixture)], {
    cwd: '/',
    encoding: 'utf8',
    timeout: 30_000,
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  expect(result.stderr).toBe('');
  const { user, directory, found } = JSON.parse(result.stdout) as {
    user: number;
    directory: string;
    found: string[];
  };
  rmSync(directory, { recursive: true });
  expect(user).not.toBe(0);
  expect(found).toEqual([
    'objects 555 true',
    'objects/small 444 true',
    'objects/pack 400 true',
    'objects/medium 440 true',
  ]);
});
