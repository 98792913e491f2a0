// A tree whose root is a file: its pieces, its partial file, and what is refused.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { FsReadTreeResult, TreeEntry } from '@codex/exec-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFifo, setUp } from './support/fs-fixture.js';

const MIB = 1024 * 1024;
const modifiedAtMs = 1_600_000_000_000;
const WHOLE = 'one two three';

const piece = (path: string, contents: string, more: Partial<TreeEntry> = {}) => ({
  path,
  entries: [
    {
      path: '',
      kind: 'file',
      mode: 0o640,
      modifiedAtMs,
      size: WHOLE.length,
      partial: 'id',
      length: contents.length,
      ...more,
    },
  ],
  dataBase64: Buffer.from(contents).toString('base64'),
});

describe('a root that is a file', () => {
  it('has its name when its last piece is there, also when pieces come twice', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('d'));
    const pieces = [
      piece(at('d/file'), 'one '),
      piece(at('d/file'), 'two ', { offset: 4 }),
      piece(at('d/file'), 'three', { offset: 8 }),
    ];
    for (const each of pieces.slice(0, 2)) await client.call('fs/writeTree', each);
    expect(readdirSync(at('d'))).toEqual(['.id.part']);
    for (const each of [...pieces.slice(1), ...pieces.slice(1), ...pieces])
      await client.call('fs/writeTree', each);
    expect(readdirSync(at('d'))).toEqual(['file']);
    expect(readFileSync(at('d/file'), 'utf8')).toBe(WHOLE);
    expect([statSync(at('d/file')).mode & 0o777, statSync(at('d/file')).mtimeMs]).toEqual([
      0o640,
      modifiedAtMs,
    ]);
  });

  it('is not made whole with a piece missing, or none before it', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('d'));
    writeFileSync(at('d/file'), 'old');
    const last = piece(at('d/file'), 'three', { offset: 8 });
    expect((await client.refusal('fs/writeTree', last)).code).toBe(-32004);
    await client.call('fs/writeTree', piece(at('d/file'), 'one '));
    expect((await client.refusal('fs/writeTree', last)).message).toBe('a piece is missing before this one');
    expect(readdirSync(at('d'))).toEqual(['file']);
    expect(readFileSync(at('d/file'), 'utf8')).toBe('old');
  });

  it('is whole also when its last piece comes twice at once, as after a cut', async () => {
    const { client, at, connect } = await setUp();
    const other = await connect();
    for (let round = 0; round < 100; round++) {
      const path = at(`file-${round}`);
      await client.call('fs/writeTree', piece(path, 'one '));
      const rest = piece(path, WHOLE.slice(4), { offset: 4 });
      await Promise.all([client.call('fs/writeTree', rest), other.call('fs/writeTree', rest)]);
      expect(readFileSync(path, 'utf8')).toBe(WHOLE);
    }
  });

  it('replaces a file, not its other names, and follows a link to it', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), 'old', { mode: 0o600 });
    linkSync(at('file'), at('second'));
    symlinkSync('file', at('link'));
    await client.call('fs/writeTree', piece(at('link'), WHOLE));
    expect(readFileSync(at('file'), 'utf8')).toBe(WHOLE);
    expect(statSync(at('file')).mode & 0o777).toBe(0o600);
    expect(readFileSync(at('second'), 'utf8')).toBe('old');
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
  });

  it('goes nowhere but over a file', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('d'));
    makeFifo(at('fifo'));
    const names = readdirSync(at(''));
    expect((await client.refusal('fs/writeTree', piece(at('d'), WHOLE))).message).toMatch(/^Is a directory/);
    expect((await client.refusal('fs/writeTree', piece(at('fifo'), WHOLE))).message).toMatch(/^File exists/);
    expect((await client.refusal('fs/writeTree', piece(at('missing/x'), WHOLE))).code).toBe(-32004);
    expect((await client.refusal('fs/readTree', { path: at('fifo') })).message).toContain('is not a file');
    expect(readdirSync(at(''))).toEqual(names);
  });

  it('is written into a character device, which holds nothing', async () => {
    const { client } = await setUp();
    const { ino } = statSync('/dev/null');
    await client.call('fs/writeTree', piece('/dev/null', WHOLE));
    expect([statSync('/dev/null').isCharacterDevice(), statSync('/dev/null').ino]).toEqual([true, ino]);
  });

  it.runIf(process.getuid?.() === 0)('is written in place where no file can be made beside it', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('disk'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at('disk')]);
    onTestFinished(() => void execFileSync('umount', ['-R', at('disk')]));
    writeFileSync(at('disk/file'), 'old and longer than what comes', { mode: 0o644 });
    execFileSync('mount', ['--bind', at('disk/file'), at('disk/file')]);
    execFileSync('mount', ['-o', 'remount,ro,bind', at('disk')]);
    const pieces = [piece(at('disk/file'), 'one '), piece(at('disk/file'), WHOLE.slice(4), { offset: 4 })];
    for (const each of pieces) await client.call('fs/writeTree', each);
    expect(readFileSync(at('disk/file'), 'utf8')).toBe(WHOLE);
    expect([statSync(at('disk/file')).mode & 0o777, statSync(at('disk/file')).mtimeMs]).toEqual([
      0o640,
      modifiedAtMs,
    ]);
    expect((await client.refusal('fs/writeTree', piece(at('disk/other'), WHOLE))).message).toMatch(/30/);
  });

  it.runIf(process.getuid?.() === 0)('is written in place over a mount, which takes no name', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), 'old and longer than what comes');
    execFileSync('mount', ['--bind', at('file'), at('file')]);
    onTestFinished(() => void execFileSync('umount', [at('file')]));
    const { ino } = statSync(at('file'));
    const pieces = [piece(at('file'), 'one '), piece(at('file'), WHOLE.slice(4), { offset: 4 })];
    for (const each of [...pieces, ...pieces.slice(1)]) await client.call('fs/writeTree', each);
    expect(readFileSync(at('file'), 'utf8')).toBe(WHOLE);
    expect([statSync(at('file')).ino, statSync(at('file')).mtimeMs]).toEqual([ino, modifiedAtMs]);
    expect(readdirSync(at(''))).toEqual(['file']);
  });

  it('does not write through a link that stands where its partial file goes', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('other'), 'untouched');
    mkdirSync(at('d'));
    symlinkSync('../other', at('d/.id.part'));
    await client.call('fs/writeTree', piece(at('d/file'), WHOLE));
    expect(readFileSync(at('other'), 'utf8')).toBe('untouched');
    expect(readdirSync(at('d'))).toEqual(['file']);
  });

  it('is read in pieces of one version', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), Buffer.alloc(3 * MIB, 'large'), { mode: 0o604 });
    const first = await client.call<FsReadTreeResult>('fs/readTree', { path: at('file') });
    const { version } = first.entries[0] ?? {};
    expect(first).toMatchObject({
      entries: [{ path: '', kind: 'file', mode: 0o604, size: 3 * MIB, length: 2 * MIB }],
      next: { path: '', offset: 2 * MIB },
    });
    const rest = { path: at('file'), after: first.next };
    const second = await client.call<FsReadTreeResult>('fs/readTree', rest);
    expect(second).toMatchObject({ entries: [{ offset: 2 * MIB, length: MIB, version }], next: null });
    const contents = Buffer.alloc(3 * MIB, 'large');
    expect(Buffer.from(second.dataBase64, 'base64').equals(contents.subarray(2 * MIB))).toBe(true);
    appendFileSync(at('file'), 'x');
    const third = await client.call<FsReadTreeResult>('fs/readTree', rest);
    expect(third.entries[0]?.version).not.toBe(version);
    const beyond = await client.call<FsReadTreeResult>('fs/readTree', {
      path: at('file'),
      after: { path: '', offset: 9 * MIB },
    });
    expect(beyond).toMatchObject({ entries: [{ offset: 9 * MIB, length: 0 }], next: null, dataBase64: '' });
  });
});
