// A file system that takes the file and refuses its mode (some FUSE and network mounts). No such mount can be made
// without privileges, so the one system call is made to fail.
import fs, { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, it, onTestFinished, vi } from 'vitest';
import { setUp } from './support/fs-fixture.js';

function refuseModes(): void {
  const refusal = Object.assign(new Error('refused'), { code: 'EPERM', errno: -1 });
  const spy = vi.spyOn(fs, 'fchmod').mockImplementation((_fd, _mode, done) => done(refusal));
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

function isOpenHere(path: string): boolean {
  return readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path);
    } catch {
      return false;
    }
  });
}

it.runIf(process.platform === 'linux').each([
  ['follows links', {}],
  ['follows none', { followSymlinks: false }],
])('fs/writeFile that %s leaves neither file nor descriptor when the mode is refused', async (_, options) => {
  const { client, at } = await setUp();
  refuseModes();
  const params = { path: at('new'), dataBase64: '', mode: 0o600, ...options };
  const { message } = await client.refusal('fs/writeFile', params);
  expect(message).toContain('os error 1');
  expect(isOpenHere(at('new'))).toBe(false);
  expect(existsSync(at('new'))).toBe(false);
});
