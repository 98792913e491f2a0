// Trees through a helper: inside its policy as without one, and nothing beyond it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FsReadTreeResult } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { base64, policyOf, readOnly, setUpSandboxed, workspaceOnly } from './support/sandboxed-fs-fixture.js';

const oneFile = (path: string) => ({
  entries: [{ path, kind: 'file', mode: 0o600, length: 1 }],
  dataBase64: base64('x'),
});

describe('a tree in a sandbox', () => {
  it('is written and read inside the workspace', async () => {
    const { client, ws } = await setUpSandboxed();
    const sandbox = workspaceOnly(ws);
    const entries = [
      { path: 'a', kind: 'directory', mode: 0o750 },
      { path: 'a/file', kind: 'file', mode: 0o640, length: 5 },
      { path: 'a/link', kind: 'link', target: 'file' },
    ];
    await client.call('fs/writeTree', { path: ws, entries, dataBase64: base64('hello'), sandbox });
    expect(readFileSync(join(ws, 'a/link'), 'utf8')).toBe('hello');
    const tree = await client.call<FsReadTreeResult>('fs/readTree', { path: ws, sandbox });
    expect(tree.entries.map(({ path }) => path)).toEqual(['', 'a', 'a/file', 'a/link', 'inside']);
    expect(tree.entries[2]).toMatchObject({ mode: 0o640, length: 5 });
  });

  it('is not written where the policy does not let it', async () => {
    const { client, ws } = await setUpSandboxed();
    const outside = join(ws, '..', 'beside');
    mkdirSync(outside);
    const refused = await client.refusal('fs/writeTree', {
      path: outside,
      ...oneFile('x'),
      sandbox: workspaceOnly(ws),
    });
    expect(refused.code).toBe(-32004);
    const readOnlyRefusal = await client.refusal('fs/writeTree', {
      path: ws,
      ...oneFile('x'),
      sandbox: readOnly(ws),
    });
    expect(readOnlyRefusal.message).toBe('x: Read-only file system (os error 30)');
    const chmod = { path: ws, entries: [{ path: '', kind: 'directory', mode: 0o777 }], dataBase64: '' };
    expect((await client.refusal('fs/writeTree', { ...chmod, sandbox: readOnly(ws) })).message).toMatch(
      /os error 30/,
    );
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(ws, 'x'))).toBe(false);
  });

  it('tells what may not be read instead of giving it', async () => {
    const { client, ws } = await setUpSandboxed();
    writeFileSync(join(ws, 'secret.env'), 'KEY');
    const sandbox = policyOf(ws, [
      [ws, 'write'],
      [join(ws, '**/*.env'), 'deny'],
    ]);
    const tree = await client.call<FsReadTreeResult>('fs/readTree', { path: ws, sandbox });
    expect(tree.entries.map(({ path }) => path)).toEqual(['', 'inside']);
    expect(tree.skipped).toEqual([{ path: 'secret.env', why: 'denied' }]);
  });
});
