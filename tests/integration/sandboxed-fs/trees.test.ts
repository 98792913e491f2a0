// Trees through a helper: inside its policy as without one, and nothing beyond it.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

  it('may be a single file, under its policy', async () => {
    const { client, ws } = await setUpSandboxed();
    const entry = { path: '', kind: 'file', mode: 0o640, size: 1, length: 1, partial: 'p' };
    const write = (path: string, sandbox: unknown) => ({
      path,
      entries: [entry],
      dataBase64: base64('x'),
      sandbox,
    });
    await client.call('fs/writeTree', write(join(ws, 'one'), workspaceOnly(ws)));
    expect([readFileSync(join(ws, 'one'), 'utf8'), statSync(join(ws, 'one')).mode & 0o777]).toEqual([
      'x',
      0o640,
    ]);
    const one = { path: join(ws, 'one'), sandbox: readOnly(ws) };
    const { entries } = await client.call<FsReadTreeResult>('fs/readTree', one);
    expect(entries).toMatchObject([{ path: '', kind: 'file', mode: 0o640, size: 1, length: 1 }]);
    const denied = policyOf(ws, [
      [ws, 'write'],
      [join(ws, 'one'), 'deny'],
    ]);
    await client.refusal('fs/readTree', { path: join(ws, 'one'), sandbox: denied });
    await client.refusal('fs/writeTree', write(join(ws, 'one'), denied));
    await client.refusal('fs/writeTree', write(join(ws, 'two'), readOnly(ws)));
    await client.refusal('fs/writeTree', write(join(ws, '..', 'beside'), workspaceOnly(ws)));
    // A link that leads out is followed to where nothing may be written.
    symlinkSync('../beside', join(ws, 'out'));
    await client.refusal('fs/writeTree', write(join(ws, 'out'), workspaceOnly(ws)));
    expect(existsSync(join(ws, '..', 'beside'))).toBe(false);
    expect(readFileSync(join(ws, 'one'), 'utf8')).toBe('x');
    expect(readdirSync(ws).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it.each([
    ['nothing else', () => []],
    ['the rest to be read', () => [['/', 'read'] as const]],
  ])('is written in place where the policy opens that file and %s', async (_what, more) => {
    const { client, ws } = await setUpSandboxed();
    const path = join(ws, 'inside');
    const { ino } = statSync(path);
    const sandbox = policyOf(ws, [...more(), [path, 'write']]);
    const piece = (contents: string, offset: number) => ({
      path,
      entries: [
        { path: '', kind: 'file', mode: 0o640, size: 7, partial: 'p', offset, length: contents.length },
      ],
      dataBase64: base64(contents),
      sandbox,
    });
    for (const each of [piece('one', 0), piece('two', 3), piece('two', 3), piece('!', 6), piece('!', 6)])
      await client.call('fs/writeTree', each);
    expect(readFileSync(path, 'utf8')).toBe('onetwo!');
    expect([statSync(path).ino, statSync(path).mode & 0o777]).toEqual([ino, 0o640]);
    await client.call('fs/writeTree', piece('one', 0));
    expect((await client.refusal('fs/writeTree', piece('!', 6))).message).toBe(
      'a piece is missing before this one',
    );
    expect(readdirSync(ws)).toEqual(['inside']);
  });
});
