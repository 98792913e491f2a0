// Every file method through a helper: what it does inside its policy, and what it answers at its borders.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  base64,
  policyOf,
  readEverything,
  readOnly,
  setUpSandboxed,
  text,
  workspaceOnly,
} from './support/sandboxed-fs-fixture.js';

const HIDDEN = { code: -32004, message: 'No such file or directory (os error 2)' };
const DENIED = { code: -32600, message: 'Permission denied (os error 13)' };
const READ_ONLY = { code: -32603, message: 'Read-only file system (os error 30)' };

describe('inside the workspace', () => {
  it('serves every method', async () => {
    const { client, ws } = await setUpSandboxed();
    const sandbox = workspaceOnly(ws);
    const at = (name: string) => join(ws, name);
    expect(text(await client.call('fs/readFile', { path: at('inside'), sandbox }))).toBe('inside');
    await client.call('fs/writeFile', { path: at('new'), dataBase64: base64('hello'), sandbox });
    expect(readFileSync(at('new'), 'utf8')).toBe('hello');
    await client.call('fs/createDirectory', { path: at('a/b'), recursive: true, sandbox });
    await client.call('fs/copy', {
      sourcePath: at('new'),
      destinationPath: at('a/b/copy'),
      recursive: false,
      sandbox,
    });
    await client.call('fs/rename', { sourcePath: at('a/b/copy'), destinationPath: at('a/moved'), sandbox });
    expect(await client.call('fs/getMetadata', { path: at('a/moved'), sandbox })).toMatchObject({
      isFile: true,
      size: 5,
    });
    expect(await client.call('fs/canonicalize', { path: `file://${ws}/a/../new`, sandbox })).toEqual({
      path: `file://${ws}/new`,
    });
    const { entries } = await client.call<{ entries: { fileName: string }[] }>('fs/readDirectory', {
      path: ws,
      sandbox,
    });
    expect(entries.map(({ fileName }) => fileName).sort()).toEqual(['a', 'inside', 'new']);
    const options = { maxDepth: 5, maxDirectories: 10, maxEntries: 10, followDirectorySymlinks: false };
    expect(await client.call('fs/walk', { path: at('a'), options, sandbox })).toEqual({
      entries: [
        { path: at('a/b'), kind: 'directory' },
        { path: at('a/moved'), kind: 'file' },
      ],
      errors: [],
      truncated: false,
    });
    await client.call('fs/remove', { path: at('a'), recursive: true, sandbox });
    expect(readdirSync(ws).sort()).toEqual(['inside', 'new']);
  });

  it('streams blocks in both directions and large files whole', async () => {
    const { client, ws } = await setUpSandboxed();
    const sandbox = workspaceOnly(ws);
    const path = join(ws, 'stream');
    await client.call('fs/open', { handleId: 'w', path, mode: 'replace', sandbox });
    await client.call('fs/writeBlock', { handleId: 'w', offset: 0, chunk: base64('first ') });
    await client.call('fs/writeBlock', { handleId: 'w', offset: 6, chunk: base64('second') });
    await client.call('fs/close', { handleId: 'w' });
    await client.call('fs/open', { handleId: 'r', path, sandbox });
    expect(await client.call('fs/readBlock', { handleId: 'r', offset: 6, len: 100 })).toEqual({
      chunk: base64('second'),
      eof: true,
    });
    const large = Buffer.alloc(5 * 1024 * 1024, 'large');
    await client.call('fs/writeFile', { path, dataBase64: large.toString('base64'), sandbox });
    const { dataBase64 } = await client.call<{ dataBase64: string }>('fs/readFile', { path, sandbox });
    expect(Buffer.from(dataBase64, 'base64').equals(large)).toBe(true);
  });

  it('leaves no directory on the host, while the helper is warm either', async () => {
    const { client, ws } = await setUpSandboxed();
    const sandbox = policyOf(ws, [
      [ws, 'write'],
      [join(ws, '.git'), 'read'],
      [join(ws, '.env'), 'deny'],
    ]);
    await client.call('fs/readFile', { path: join(ws, 'inside'), sandbox });
    expect(readdirSync(ws)).toEqual(['inside']);
  });
});

describe('at the borders', () => {
  it('answers as the peer does', async () => {
    const { client, ws, outside } = await setUpSandboxed();
    mkdirSync(join(ws, '.git'));
    writeFileSync(join(ws, 'denied'), 'denied');
    writeFileSync(join(ws, 'old.env'), 'env');
    const only = policyOf(ws, [
      [ws, 'write'],
      [join(ws, 'denied'), 'deny'],
      [`${ws}/*.env`, 'deny'],
    ]);
    const all = readEverything(ws);
    const read = (path: string, sandbox: object) => client.refusal('fs/readFile', { path, sandbox });
    const write = (path: string, sandbox: object) =>
      client.refusal('fs/writeFile', { path, dataBase64: base64('x'), sandbox });
    const secret = join(outside, 'secret');
    expect(await read(secret, only)).toEqual(HIDDEN);
    expect(await read('/etc/passwd', only)).toEqual(HIDDEN);
    expect(await read('/proc/self/environ', only)).toEqual(HIDDEN);
    expect(await read(process.execPath, only)).toEqual(HIDDEN);
    expect(await read(join(ws, 'denied'), only)).toEqual(DENIED);
    expect(await read(join(ws, 'old.env'), only)).toEqual(DENIED);
    expect(await write(join(outside, 'new'), only)).toEqual(HIDDEN);
    expect(await write(join(outside, 'new'), all)).toEqual(READ_ONLY);
    expect(await write(secret, all)).toEqual(READ_ONLY);
    expect(await write(join(ws, '.git', 'config'), all)).toEqual(READ_ONLY);
    expect(await write(join(ws, '.git', 'config'), only)).toEqual(READ_ONLY);
    expect(await write(join(ws, 'inside'), readOnly(ws))).toEqual(READ_ONLY);
    expect(await client.refusal('fs/createDirectory', { path: join(ws, '.codex'), sandbox: all })).toEqual(
      READ_ONLY,
    );
    expect(await client.refusal('fs/remove', { path: secret, sandbox: all })).toEqual(READ_ONLY);
    expect(text(await client.call('fs/readFile', { path: secret, sandbox: all }))).toBe('secret');
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(existsSync(join(ws, '.codex'))).toBe(false);
  });

  it('refuses what a policy denies although it appeared after the helper was started', async () => {
    const { client, ws } = await setUpSandboxed();
    const sandbox = policyOf(ws, [
      [ws, 'write'],
      [`${ws}/**/*.env`, 'deny'],
      [join(ws, 'later'), 'deny'],
    ]);
    await client.call('fs/readFile', { path: join(ws, 'inside'), sandbox });
    mkdirSync(join(ws, 'sub'));
    writeFileSync(join(ws, 'sub', 'new.env'), 'env');
    writeFileSync(join(ws, 'later'), 'later');
    expect(await client.refusal('fs/readFile', { path: join(ws, 'sub/new.env'), sandbox })).toEqual(DENIED);
    expect(await client.refusal('fs/readFile', { path: join(ws, 'later'), sandbox })).toEqual(DENIED);
    const copy = { sourcePath: join(ws, 'sub'), destinationPath: join(ws, 'copy'), recursive: true, sandbox };
    expect(await client.refusal('fs/copy', copy)).toEqual(DENIED);
    const move = { sourcePath: join(ws, 'sub'), destinationPath: join(ws, 'moved'), sandbox };
    expect(await client.refusal('fs/rename', move)).toEqual(DENIED);
    const dataBase64 = base64('x');
    expect(await client.refusal('fs/writeFile', { path: join(ws, 'made.env'), dataBase64, sandbox })).toEqual(
      DENIED,
    );
    expect(readdirSync(ws).sort()).toEqual(['copy', 'inside', 'later', 'sub']);
    expect(readdirSync(join(ws, 'copy'))).toEqual([]);
  });

  it('keeps the secrets of the server, whatever the policy says', async () => {
    const { ws, outside } = await setUpSandboxed();
    const secret = join(outside, 'secret');
    const { client } = await setUpSandboxed({ secretFiles: [secret] });
    const sandbox = policyOf(ws, [
      ['/', 'read'],
      [secret, 'read'],
    ]);
    expect(await client.refusal('fs/readFile', { path: secret, sandbox })).toEqual(DENIED);
    expect(text(await client.call('fs/readFile', { path: join(ws, 'inside'), sandbox }))).toBe('inside');
  });

  it('sees roots that are created or replaced later', async () => {
    const { client, ws, outside } = await setUpSandboxed();
    const root = join(outside, 'root');
    const sandbox = policyOf(ws, [
      [ws, 'write'],
      [root, 'write'],
    ]);
    const path = join(root, 'file');
    expect(await client.refusal('fs/readFile', { path, sandbox })).toEqual(HIDDEN);
    mkdirSync(root);
    writeFileSync(path, 'one');
    expect(text(await client.call('fs/readFile', { path, sandbox }))).toBe('one');
    const { renameSync } = await import('node:fs');
    renameSync(root, join(outside, 'away'));
    mkdirSync(root);
    writeFileSync(path, 'two');
    expect(text(await client.call('fs/readFile', { path, sandbox }))).toBe('two');
  });

  it('takes the direct path where nothing is restricted, and refuses what makes no sense', async () => {
    const { client, ws, outside } = await setUpSandboxed();
    const path = join(outside, 'secret');
    const open = [
      { type: 'disabled' },
      { type: 'external', network: 'restricted' },
      { type: 'managed', file_system: { type: 'unrestricted' }, network: 'restricted' },
    ];
    for (const permissions of open) {
      const sandbox = { permissions, windowsSandboxLevel: 'disabled' };
      expect(text(await client.call('fs/readFile', { path, sandbox }))).toBe('secret');
    }
    const nonsense = { ...workspaceOnly(ws), sandboxOverride: {} };
    expect(await client.refusal('fs/readFile', { path, sandbox: nonsense })).toMatchObject({ code: -32602 });
  });
});
