// Whole trees between two machines: everything arrives as it was, hostile servers included.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient, type Progress } from '@codex/exec-client';
import { createInMemoryChannelPair, RpcPeer } from '@codex/exec-rpc';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeTree } from './support/describe-tree.js';
import { describeOnEveryTarget } from './support/targets.js';

function lyingDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lying-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function makeTree(root: string): void {
  mkdirSync(join(root, 'a/b/c'), { recursive: true });
  mkdirSync(join(root, 'read-only'));
  mkdirSync(join(root, 'empty'));
  for (let index = 0; index < 300; index++)
    writeFileSync(join(root, 'a', `file-${index}`), `contents ${index}`);
  writeFileSync(join(root, 'a/b/c/large'), Buffer.alloc(5_000_001, 'large'));
  writeFileSync(join(root, 'a/b/nothing'), '');
  writeFileSync(join(root, 'read-only/kept'), 'kept', { mode: 0o400 });
  writeFileSync(join(root, 'program'), '#!/bin/sh', { mode: 0o755 });
  writeFileSync(join(root, 'name with space and ü'), '');
  symlinkSync('../program', join(root, 'a/link'));
  symlinkSync('nowhere', join(root, 'broken'));
  utimesSync(join(root, 'program'), 1_400_000_000, 1_400_000_000);
  utimesSync(join(root, 'empty'), 1_300_000_000, 1_300_000_000);
  chmodSync(join(root, 'a/b'), 0o700);
  chmodSync(join(root, 'read-only'), 0o555);
}

describeOnEveryTarget('trees', (suite) => {
  it('arrive without the files whose names are no text, which are listed, in both directions', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    mkdirSync(join(directory, 'tree/sub'), { recursive: true });
    writeFileSync(join(directory, 'tree/\ufffd'), 'a name that only looks so');
    writeFileSync(Buffer.concat([Buffer.from(join(directory, 'tree/sub/x')), Buffer.of(0xff)]), 'y');
    const moved = { files: 1, skipped: [{ path: 'sub/x\ufffd', why: 'nameIsNotText' }] };
    expect(await fs.upload(join(directory, 'tree'), join(directory, 'there'))).toMatchObject(moved);
    expect(await fs.download(join(directory, 'tree'), join(directory, 'back'))).toMatchObject(moved);
    for (const copy of ['there', 'back'])
      expect(readdirSync(join(directory, copy)).sort()).toEqual(['sub', '\ufffd']);
  });

  it('arrive as they were, there and back, also over what was there', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    makeTree(join(directory, 'tree'));
    const upload = fs.upload(join(directory, 'tree'), join(directory, 'there'));
    const steps: Progress[] = [];
    for await (const step of upload) steps.push(step);
    expect(await upload).toMatchObject({ files: 305, skipped: [] });
    expect(steps.at(-1)).toMatchObject({ files: 305, totalFiles: 305 });
    expect(describeTree(join(directory, 'there'))).toEqual(describeTree(join(directory, 'tree')));
    await fs.upload(join(directory, 'tree'), join(directory, 'there'));
    expect(await fs.download(join(directory, 'there'), join(directory, 'back'))).toMatchObject({
      files: 305,
    });
    await fs.download(join(directory, 'there'), join(directory, 'back'));
    expect(describeTree(join(directory, 'back'))).toEqual(describeTree(join(directory, 'tree')));
  });

  it('keep times before 1970, which are no reason to call a file new', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    const old = new Date('1965-02-03T04:05:06.789Z');
    mkdirSync(join(directory, 'tree/sub'), { recursive: true });
    writeFileSync(join(directory, 'tree/small'), 'old');
    writeFileSync(join(directory, 'tree/large'), Buffer.alloc(3_000_000, 'old'));
    for (const name of ['small', 'large', 'sub']) utimesSync(join(directory, 'tree', name), old, old);
    await fs.upload(join(directory, 'tree'), join(directory, 'there'));
    await fs.download(join(directory, 'there'), join(directory, 'back'));
    await fs.upload(join(directory, 'back/large'), join(directory, 'file'));
    await fs.download(join(directory, 'file'), join(directory, 'file again'));
    const copies = ['there/small', 'there/large', 'there/sub', 'back/small', 'back/large', 'back/sub'];
    for (const name of [...copies, 'file', 'file again'])
      expect(statSync(join(directory, name)).mtime, name).toEqual(old);
  });

  it('take names as long as a name can be, and files of every length around a block', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    mkdirSync(join(directory, 'tree'));
    writeFileSync(join(directory, 'tree', 'n'.repeat(255)), 'long');
    const sizes = [1_048_575, 1_048_576, 1_048_577, 1_200_000, 1_500_000, 2_097_152, 2_200_000, 3_000_000];
    for (const size of sizes)
      writeFileSync(join(directory, 'tree', `f${size}`), Buffer.alloc(size, `${size} `));
    for (let round = 0; round < 5; round++) {
      await fs.upload(join(directory, 'tree'), join(directory, 'there'));
      await fs.download(join(directory, 'there'), join(directory, 'back'));
      expect(describeTree(join(directory, 'there'))).toEqual(describeTree(join(directory, 'tree')));
      expect(describeTree(join(directory, 'back'))).toEqual(describeTree(join(directory, 'tree')));
    }
  });

  it('leave out what is excluded, both ways', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    makeTree(join(directory, 'tree'));
    const exclude = ['/a/', '*.tmp', 'broken'];
    await fs.upload(join(directory, 'tree'), join(directory, 'there'), { exclude });
    expect(existsSync(join(directory, 'there/a'))).toBe(false);
    expect(statSync(join(directory, 'there/program')).mode & 0o777).toBe(0o755);
    await fs.download(join(directory, 'tree'), join(directory, 'back'), { exclude });
    expect(describeTree(join(directory, 'back'))).toEqual(describeTree(join(directory, 'there')));
  });

  it('are no more open to others than the umask and the directories that were there allow', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    const at = (path: string) => join(directory, path);
    for (const path of ['from/new', 'from/old', 'back/old']) mkdirSync(at(path), { recursive: true });
    writeFileSync(at('from/new/small'), 'x');
    writeFileSync(at('from/new/large'), Buffer.alloc(5_000_001));
    for (const path of ['from', 'from/new', 'from/old', 'from/new/small', 'from/new/large'])
      chmodSync(at(path), 0o777);
    chmodSync(at('back/old'), 0o700);
    await fs.download(at('from'), at('back'));
    const mode = (path: string) => statSync(at(path)).mode & 0o7777;
    expect(['new', 'new/small', 'new/large', 'old'].map((path) => mode(`back/${path}`).toString(8))).toEqual([
      '755',
      '755',
      '755',
      '700',
    ]);
  });

  it('say which entry failed', async () => {
    const { fs } = await suite.connect();
    const directory = suite.directory();
    mkdirSync(join(directory, 'tree/sub'), { recursive: true });
    writeFileSync(join(directory, 'tree/sub/file'), 'x');
    mkdirSync(join(directory, 'there'));
    writeFileSync(join(directory, 'there/sub'), 'in the way');
    await expect(
      Promise.resolve(fs.upload(join(directory, 'tree'), join(directory, 'there'))),
    ).rejects.toMatchObject({ code: 'fs.io', message: expect.stringMatching(/sub.*Not a directory/) });
    await expect(
      Promise.resolve(fs.upload(join(directory, 'tree'), '/x', { exclude: Array(1001).fill('x') })),
    ).rejects.toMatchObject({ code: 'argument.invalid' });
  });
});

describe('a server that lies', () => {
  async function lyingServer(answers: readonly object[]): Promise<ExecServerClient> {
    const [near, far] = createInMemoryChannelPair();
    const left = [...answers];
    new RpcPeer(far, {
      onRequest: async ({ method }) => {
        if (method === 'initialize')
          return {
            sessionId: 's',
            environmentInfo: {
              shell: { name: 'sh', path: '/bin/sh' },
              cwd: '/',
              capabilities: { fileTrees: true },
            },
          };
        if (method === 'fs/getMetadata')
          return {
            isDirectory: true,
            isFile: false,
            isSymlink: false,
            size: 0,
            createdAtMs: 0,
            modifiedAtMs: 0,
          };
        return { skipped: [], next: null, dataBase64: '', ...(left.length > 1 ? left.shift() : left[0]) };
      },
      onNotification: () => undefined,
    });
    const client = await ExecServerClient.connect({ channel: near });
    onTestFinished(() => client.close());
    return client;
  }

  const file = (path: string) => ({ path, kind: 'file', length: 1, size: 1 });

  it.each([
    ['a path that leaves', { entries: [file('../x')], dataBase64: 'eA==' }],
    ['an absolute path', { entries: [file('/tmp/x')], dataBase64: 'eA==' }],
    ['a link that leads out', { entries: [{ path: 'l', kind: 'link', target: '../..' }] }],
    ['a link for a root', { entries: [{ path: '', kind: 'link', target: 'x' }] }],
    ['too few bytes', { entries: [file('a'), file('b')], dataBase64: 'eA==' }],
    ['no base64', { entries: [], dataBase64: '?' }],
    ['the same place for ever', { entries: [], next: { path: 'a', offset: 0 } }],
  ])('with %s writes nothing outside', async (_what, answer) => {
    const client = await lyingServer([answer]);
    const directory = lyingDirectory();
    const target = join(directory, 'inner/target');
    mkdirSync(join(directory, 'inner'));
    await expect(Promise.resolve(client.fs.download('/x', target))).rejects.toMatchObject({
      code: 'protocol.violation',
    });
    expect(readdirSync(join(directory, 'inner')).filter((name) => name !== 'target')).toEqual([]);
    expect(readdirSync(directory)).toEqual(['inner']);
  });

  it('cannot write through a link that it sent', async () => {
    const client = await lyingServer([
      {
        entries: [
          { path: '', kind: 'directory' },
          { path: 'l', kind: 'link', target: 'elsewhere' },
          file('l/x'),
        ],
        dataBase64: 'eA==',
      },
    ]);
    const directory = lyingDirectory();
    await expect(Promise.resolve(client.fs.download('/x', join(directory, 't')))).rejects.toMatchObject({
      code: 'fs.io',
    });
  });

  it('cannot make a link that leads out by putting it behind another', async () => {
    const client = await lyingServer([
      {
        entries: [
          { path: '', kind: 'directory' },
          { path: 'flat', kind: 'directory' },
          { path: 'd1', kind: 'directory' },
          { path: 'd1/d2', kind: 'directory' },
          { path: 'd1/d2/d3', kind: 'link', target: '../../flat' },
          { path: 'd1/d2/d3/out', kind: 'link', target: '../../../outside' },
        ],
      },
    ]);
    const directory = lyingDirectory();
    await expect(Promise.resolve(client.fs.download('/x', join(directory, 't')))).rejects.toMatchObject({
      code: 'fs.io',
      message: expect.stringContaining('d1/d2/d3: is a link'),
    });
    expect(readdirSync(join(directory, 't/flat'))).toEqual([]);
  });

  it.each([
    ['a file', [file('l/x')], 'eA=='],
    ['a directory', [{ path: 'l', kind: 'directory', mode: 0o777 }], ''],
    ['a directory below', [{ path: 'l/y', kind: 'directory' }], ''],
    ['a link', [{ path: 'l/z', kind: 'link', target: 'x' }], ''],
  ])('cannot write %s through a link that stood there', async (_what, entries, dataBase64) => {
    const client = await lyingServer([
      { entries: [{ path: '', kind: 'directory' }, ...entries], dataBase64 },
    ]);
    const directory = lyingDirectory();
    mkdirSync(join(directory, 't'));
    mkdirSync(join(directory, 'outside'), { mode: 0o750 });
    symlinkSync('../outside', join(directory, 't/l'));
    await expect(Promise.resolve(client.fs.download('/x', join(directory, 't')))).rejects.toMatchObject({
      code: 'fs.io',
      message: expect.stringContaining('l: is a link'),
    });
    expect(readdirSync(join(directory, 'outside'))).toEqual([]);
    expect(statSync(join(directory, 'outside')).mode & 0o777).toBe(0o750);
  });

  it.each([
    [
      'files that it never ends',
      [
        { ...file('a'), size: 9 },
        { ...file('b'), size: 9 },
      ],
      'fs.io',
    ],
    ['a file without its beginning', [{ ...file('a'), offset: 5, size: 6 }], 'protocol.violation'],
    ['the same file twice', [file('a'), file('a'), file('d/a')], 'fs.io'],
  ])('leaves no partial files behind with %s', async (_what, entries, code) => {
    const dataBase64 = Buffer.alloc(entries.length, 'x').toString('base64');
    const client = await lyingServer([
      { entries: [{ path: '', kind: 'directory' }, ...entries], dataBase64 },
    ]);
    const directory = lyingDirectory();
    await expect(Promise.resolve(client.fs.download('/x', directory))).rejects.toMatchObject({ code });
    expect(readdirSync(directory).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('does not lead in a circle', async () => {
    const circle = ['a', 'b', 'c/d'].map((path) => ({ entries: [], next: { path, offset: 0 } }));
    const client = await lyingServer([...circle, ...circle, ...circle, { entries: [] }]);
    const directory = lyingDirectory();
    await expect(Promise.resolve(client.fs.download('/x', directory))).rejects.toMatchObject({
      code: 'protocol.violation',
    });
  });
});
