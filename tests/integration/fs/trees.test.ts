// Trees in few messages: what is written is what was sent, nothing leaves the root, and a cursor goes on anywhere.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { FsReadTreeResult, TreeEntry } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { makeFifo, setUp } from './support/fs-fixture.js';

const file = (path: string, contents: string, more: Partial<TreeEntry> = {}): [TreeEntry, string] => [
  { path, kind: 'file', length: Buffer.byteLength(contents), ...more },
  contents,
];
const directory = (path: string, mode?: number): [TreeEntry, string] => [
  { path, kind: 'directory', ...(mode === undefined ? {} : { mode }) },
  '',
];
const link = (path: string, target: string): [TreeEntry, string] => [{ path, kind: 'link', target }, ''];

const write = (root: string, items: readonly [TreeEntry, string][]) => ({
  path: root,
  entries: items.map(([entry]) => entry),
  dataBase64: Buffer.from(items.map(([, contents]) => contents).join('')).toString('base64'),
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('fs/writeTree', () => {
  it('writes directories, files and links, with modes and times', async () => {
    const { client, at } = await setUp();
    const modifiedAtMs = 1_600_000_000_000;
    const items = [
      directory('', 0o750),
      directory('a', 0o700),
      file('a/private', 'secret', { mode: 0o600, modifiedAtMs }),
      file('a/program', '#!', { mode: 0o755 }),
      file('empty', ''),
      link('a/link', '../empty'),
    ];
    await client.call('fs/writeTree', write(at('root'), items));
    expect(readFileSync(at('root/a/private'), 'utf8')).toBe('secret');
    expect(statSync(at('root/a/private')).mtimeMs).toBe(modifiedAtMs);
    expect(modeOf(at('root'))).toBe(0o750);
    expect(modeOf(at('root/a'))).toBe(0o700);
    expect(modeOf(at('root/a/private'))).toBe(0o600);
    expect(modeOf(at('root/a/program'))).toBe(0o755);
    expect(readFileSync(at('root/empty'), 'utf8')).toBe('');
    expect(readlinkSync(at('root/a/link'))).toBe('../empty');
    await client.call('fs/writeTree', write(at('root'), items));
    expect(readFileSync(at('root/a/private'), 'utf8')).toBe('secret');
  });

  it('writes a file in pieces', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('big'), 'what was there before, and longer');
    await client.call('fs/writeTree', write(at(''), [file('big', 'one')]));
    await client.call('fs/writeTree', write(at(''), [file('big', 'two', { offset: 3 })]));
    expect(readFileSync(at('big'), 'utf8')).toBe('onetwo');
  });

  it('closes an existing file before it fills it', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), 'old');
    chmodSync(at('file'), 0o666);
    await client.call('fs/writeTree', write(at(''), [file('file', 'new', { mode: 0o600 })]));
    expect(modeOf(at('file'))).toBe(0o600);
    expect(readFileSync(at('file'), 'utf8')).toBe('new');
  });

  it('follows no link below the root', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('outside'));
    writeFileSync(at('outside/file'), 'untouched');
    mkdirSync(at('root'));
    symlinkSync('../outside', at('root/directory'));
    symlinkSync('../outside/file', at('root/file'));
    const through = await client.refusal('fs/writeTree', write(at('root'), [file('directory/file', 'x')]));
    expect(through.message).toBe('directory/file: Not a directory (os error 20)');
    const onto = await client.refusal('fs/writeTree', write(at('root'), [directory('directory', 0o777)]));
    expect(onto.message).toMatch(/^directory: /);
    await client.call('fs/writeTree', write(at('root'), [file('file', 'mine')]));
    expect(lstatSync(at('root/file')).isFile()).toBe(true);
    expect(readFileSync(at('outside/file'), 'utf8')).toBe('untouched');
    expect(readdirSync(at('outside'))).toEqual(['file']);
  });

  it.each<[string, [TreeEntry, string][]]>([
    ['a path that leaves the root', [file('../x', 'x')]],
    ['an absolute path', [file('/x', 'x')]],
    ['a link that leads out', [link('l', '../../x')]],
    ['a link with a name before its dots', [link('a/l', 'b/../x')]],
    ['an absolute link', [link('l', '/etc')]],
    ['a root that is a file among others', [file('', 'x')]],
    ['a partial name that is a path', [file('a', 'x', { partial: '../x' })]],
    ['a partial name of a link', [[{ path: 'l', kind: 'link', target: 'x', partial: 'p' }, '']]],
  ])('refuses %s, and writes nothing of that message', async (_what, items) => {
    const { client, at } = await setUp();
    mkdirSync(at('root'));
    const refusal = await client.refusal('fs/writeTree', write(at('root'), [file('first', 'x'), ...items]));
    expect(refusal.code).toBe(-32600);
    expect(refusal.message).toMatch(/^entry "/);
    expect(readdirSync(at('root'))).toEqual([]);
  });

  it('refuses lengths that are not those of the payload, and too many entries', async () => {
    const { client, at } = await setUp();
    const short = write(at(''), [file('a', 'abc', { length: 2 })]);
    expect((await client.refusal('fs/writeTree', short)).message).toBe(
      'the entries have 2 bytes, the payload has 3',
    );
    const many = write(
      at(''),
      Array.from({ length: 4097 }, (_, index) => file(`f${index}`, '')),
    );
    expect((await client.refusal('fs/writeTree', many)).message).toBe(
      'fs/writeTree takes at most 4096 entries, not 4097',
    );
  });

  it('does not open what is no file', async () => {
    const { client, at } = await setUp();
    makeFifo(at('fifo'));
    const refusal = await client.refusal('fs/writeTree', write(at(''), [file('fifo', 'x')]));
    expect(refusal.message).toBe('fifo: File exists (os error 17)');
  });
});

type Client = Awaited<ReturnType<typeof setUp>>['client'];

async function readAll(client: Client, params: object): Promise<FsReadTreeResult[]> {
  const parts: FsReadTreeResult[] = [];
  let after: unknown = null;
  do {
    const part: FsReadTreeResult = await client.call('fs/readTree', { ...params, after });
    parts.push(part);
    after = part.next;
  } while (after !== null);
  return parts;
}

describe('fs/readTree', () => {
  it('gives directories, files and links, and says what it leaves out', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('root/b/c'), { recursive: true });
    writeFileSync(at('root/a'), 'first', { mode: 0o640 });
    writeFileSync(at('root/b/c/d'), 'second');
    utimesSync(at('root/a'), 1_500_000_000, 1_500_000_000);
    symlinkSync('c/d', at('root/b/inside'));
    symlinkSync('/etc/passwd', at('root/b/outside'));
    makeFifo(at('root/fifo'));
    const [part, ...more] = await readAll(client, { path: at('root') });
    expect(more).toEqual([]);
    expect(part?.entries.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'directory ',
      'file a',
      'directory b',
      'directory b/c',
      'file b/c/d',
      'link b/inside',
    ]);
    expect(part?.entries[1]).toEqual({
      path: 'a',
      kind: 'file',
      mode: 0o640,
      modifiedAtMs: 1_500_000_000_000,
      size: 5,
      offset: 0,
      length: 5,
    });
    expect(part?.entries[5]?.target).toBe('c/d');
    expect(part?.skipped).toEqual([
      { path: 'b/outside', why: 'linkLeadsOut' },
      { path: 'fifo', why: 'notAFile' },
    ]);
    expect(Buffer.from(part?.dataBase64 ?? '', 'base64').toString()).toBe('firstsecond');
  });

  it('goes on where a reply ended, within a file too', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('root/sub'), { recursive: true });
    const big = Buffer.alloc(5_000_000, 'abcdefg');
    writeFileSync(at('root/big'), big);
    writeFileSync(at('root/sub/small'), 'small');
    for (let index = 0; index < 4200; index++) writeFileSync(at(`root/sub/f${index}`), String(index));
    const parts = await readAll(client, { path: at('root') });
    expect(parts.length).toBeGreaterThan(3);
    const contents = new Map<string, Buffer>();
    for (const { entries, dataBase64 } of parts) {
      const bytes = Buffer.from(dataBase64, 'base64');
      let taken = 0;
      for (const { path, kind, length = 0, offset = 0 } of entries) {
        if (kind !== 'file') continue;
        const before = contents.get(path) ?? Buffer.alloc(0);
        expect(before.length).toBe(offset);
        contents.set(path, Buffer.concat([before, bytes.subarray(taken, taken + length)]));
        taken += length;
      }
      expect(taken).toBe(bytes.length);
    }
    expect(contents.size).toBe(4202);
    expect(contents.get('big')?.equals(big)).toBe(true);
    expect(contents.get('sub/f4199')?.toString()).toBe('4199');
  });

  it('leaves out what is excluded, and does not look into it', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('root/node_modules/x'), { recursive: true });
    mkdirSync(at('root/src'));
    for (const path of ['node_modules/x/y', 'src/a.ts', 'src/a.o', 'src/keep.o'])
      writeFileSync(at(`root/${path}`), '');
    const exclude = ['node_modules/', '*.o', '!keep.o'];
    const [part] = await readAll(client, { path: at('root'), exclude });
    expect(part?.entries.map(({ path }) => path)).toEqual(['', 'src', 'src/a.ts', 'src/keep.o']);
    const tooMany = { path: at('root'), exclude: Array.from({ length: 1001 }, () => 'x') };
    expect((await client.refusal('fs/readTree', tooMany)).message).toMatch(/too many exclude patterns/);
  });

  it('refuses a cursor outside, a missing root, and a file that was a directory', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), '');
    const outside = { path: at(''), after: { path: '../x', offset: 0 } };
    expect((await client.refusal('fs/readTree', outside)).message).toMatch(/`after` is no path/);
    expect((await client.refusal('fs/readTree', { path: at('missing') })).code).toBe(-32004);
    const behind = { path: at('file'), after: { path: 'x', offset: 0 } };
    expect((await client.refusal('fs/readTree', behind)).message).toMatch(/os error 20/);
  });
});
