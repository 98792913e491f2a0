// Everything also works for an ordinary user, whom permissions bind.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { programForAnyone } from '../program-for-anyone.js';

const NOBODY = 65_534;

it('an ordinary user launches on pipes and ptys and gets EACCES where it has no permission', () => {
  const directory = mkdtempSync(join(tmpdir(), 'unprivileged-'));
  const forbidden = join(directory, 'forbidden');
  mkdirSync(forbidden, { mode: 0o000 });
  chmodSync(directory, 0o755);
  const isRoot = process.getuid?.() === 0;
  try {
    const fixture = fileURLToPath(new URL('./fixtures/unprivileged.ts', import.meta.url));
    const result = spawnSync(process.execPath, [programForAnyone(fixture), forbidden], {
      cwd: '/',
      encoding: 'utf8',
      timeout: 30_000,
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    expect(result.stderr).toBe('');
    expect(JSON.parse(result.stdout)).toEqual([
      `${isRoot ? NOBODY : process.getuid?.()} x `,
      'tty',
      'cwd EACCES',
      'exec EACCES',
      '1',
      'reused: 1 told',
      'some: EACCES',
    ]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
