// A program outside puts another file in the place of one that the policy covers, while a helper is warm: the kernel takes the cover of its
// sandbox away. What comes after that has a helper whose sandbox is made anew, and what is open in the warm one stays open.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { helperPids } from './support/helper-processes.js';
import { base64, policyOf, setUpSandboxed } from './support/sandboxed-fs-fixture.js';

it('what is denied or read-only stays so, and what is open stays open', async () => {
  const { client, ws } = await setUpSandboxed();
  const at = (name: string) => join(ws, name);
  mkdirSync(at('.git'));
  for (const name of ['secret', 'kept', '.git/config']) writeFileSync(at(name), 'old');
  const sandbox = policyOf(ws, [
    ['/', 'read'],
    [ws, 'write'],
    [at('.git'), 'write'],
    [at('.git/config'), 'read'],
    [at('kept'), 'read'],
    [at('secret'), 'deny'],
  ]);
  await client.call('fs/open', { handleId: 'h', path: at('inside'), sandbox });
  const [warm] = helperPids();
  const mounts = () => readFileSync(`/proc/${warm}/mountinfo`, 'utf8');
  for (const name of ['secret', 'kept', '.git/config']) {
    expect(mounts()).toContain(at(name));
    writeFileSync(at('new'), 'new');
    renameSync(at('new'), at(name));
    expect(mounts()).not.toContain(at(name));
  }
  await expect(client.call('fs/readFile', { path: at('secret'), sandbox })).rejects.toThrow();
  await expect(
    client.call('fs/copy', {
      sourcePath: at('secret'),
      destinationPath: at('copy'),
      recursive: false,
      sandbox,
    }),
  ).rejects.toThrow();
  for (const name of ['secret', 'kept', '.git/config']) {
    const dataBase64 = base64('evil');
    await expect(client.call('fs/writeFile', { path: at(name), dataBase64, sandbox })).rejects.toThrow();
    await expect(
      client.call('fs/rename', { sourcePath: at('inside'), destinationPath: at(name), sandbox }),
    ).rejects.toThrow();
    await expect(
      client.call('fs/remove', { path: at(name), recursive: false, force: false, sandbox }),
    ).rejects.toThrow();
    expect(readFileSync(at(name), 'utf8')).toBe('new');
  }
  expect(existsSync(at('copy'))).toBe(false);
  rmSync(at('.git'), { recursive: true });
  mkdirSync(at('.git'));
  await expect(
    client.call('fs/writeFile', { path: at('.git/config'), dataBase64: base64('evil'), sandbox }),
  ).rejects.toThrow();
  const block = await client.call('fs/readBlock', { handleId: 'h', offset: 0, len: 6 });
  expect(block).toMatchObject({ chunk: base64('inside') });
  expect(helperPids()).toContain(warm);
});
