import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSecretFile } from '@codex/exec-listener/auth';
import { expect, it, onTestFinished } from 'vitest';

const read = (path: string): Promise<string> => readSecretFile(path, 'websocket token');
const isRoot = process.getuid?.() === 0;

function secretIn(folder: string, mode = 0o600): string {
  const path = join(folder, 'token');
  writeFileSync(path, 'the-secret\n');
  chmodSync(path, mode);
  return path;
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'secret-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('a secret of one’s own is read, under /tmp too', async () => {
  expect(await read(secretIn(ownFolder()))).toBe('the-secret');
  expect(await read(secretIn(ownFolder(), 0o400))).toBe('the-secret');
});

it.each([0o644, 0o640, 0o604, 0o660, 0o622])('a secret of mode %o is refused', async (mode) => {
  const path = secretIn(ownFolder(), mode);
  await expect(read(path)).rejects.toMatchObject({
    code: 'LISTEN_SECRET_FILE',
    message: expect.stringContaining(`chmod 600 ${path}`),
  });
  await expect(read(path)).rejects.not.toThrow('the-secret');
});

it.each([0o777, 0o770, 0o707])(
  'a secret in a directory of mode %o is refused, however deep',
  async (mode) => {
    const open = join(ownFolder(), 'open');
    const deep = join(open, 'closed');
    mkdirSync(deep, { recursive: true, mode: 0o700 });
    const path = secretIn(deep);
    expect(await read(path)).toBe('the-secret');
    chmodSync(open, mode);
    await expect(read(path)).rejects.toThrow(`chmod go-w ${open}`);
    const link = join(ownFolder(), 'link');
    symlinkSync(path, link);
    await expect(read(link)).rejects.toThrow(`chmod go-w ${open}`);
  },
);

it('a link that others can turn elsewhere is refused', async () => {
  const open = join(ownFolder(), 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  const link = join(open, 'link');
  symlinkSync(secretIn(ownFolder()), link);
  await expect(read(link)).rejects.toThrow(`chmod go-w ${open}`);
});

it.runIf(isRoot)('a secret of somebody else, or in a directory of somebody else, is refused', async () => {
  const path = secretIn(ownFolder());
  chownSync(path, 65_534, 65_534);
  await expect(read(path)).rejects.toThrow('belongs to another user (uid 65534)');
  const folder = ownFolder();
  const own = secretIn(folder);
  chownSync(folder, 65_534, 65_534);
  await expect(read(own)).rejects.toThrow('can be replaced by another user (uid 65534)');
});
