import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeFifo, setUp } from './support/fs-fixture.js';

describe('fs/createDirectory', () => {
  it('makes parents unless told not to, and accepts what is there', async () => {
    const { client, at } = await setUp();
    await client.call('fs/createDirectory', { path: at('a/b') });
    await client.call('fs/createDirectory', { path: at('a/b') });
    expect(await client.refusal('fs/createDirectory', { path: at('a/b'), recursive: false })).toEqual({
      code: -32603,
      message: 'File exists (os error 17)',
    });
    expect((await client.refusal('fs/createDirectory', { path: at('x/y'), recursive: false })).code).toBe(
      -32004,
    );
    symlinkSync('nowhere', at('dangling'));
    expect((await client.refusal('fs/createDirectory', { path: at('dangling/x') })).message).toBe(
      'File exists (os error 17)',
    );
  });
});

describe('fs/getMetadata', () => {
  it('describes what a path leads to and whether it is a link', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), 'four');
    symlinkSync('file', at('link'));
    symlinkSync('nowhere', at('dangling'));
    makeFifo(at('fifo'));
    const { birthtimeMs, mtimeMs } = statSync(at('file'));
    const file = {
      isDirectory: false,
      isFile: true,
      isSymlink: false,
      size: 4,
      createdAtMs: Math.floor(birthtimeMs),
      modifiedAtMs: Math.floor(mtimeMs),
    };
    for (let round = 0; round < 3; round += 1) {
      expect(await client.call('fs/getMetadata', { path: at('file') })).toEqual(file);
      expect(await client.call('fs/getMetadata', { path: at('link') })).toEqual({ ...file, isSymlink: true });
      expect((await client.refusal('fs/getMetadata', { path: at('dangling') })).code).toBe(-32004);
      expect((await client.refusal('fs/getMetadata', { path: at('missing') })).code).toBe(-32004);
      expect((await client.refusal('fs/getMetadata', { path: at('file/x') })).message).toMatch(/os error 20/);
    }
    expect(await client.call('fs/getMetadata', { path: at('fifo') })).toMatchObject({
      isDirectory: false,
      isFile: false,
    });
  });
});

describe('fs/canonicalize', () => {
  it('resolves links and answers in the form it was asked in', async () => {
    const { client, at, uri } = await setUp();
    mkdirSync(at('a b'));
    symlinkSync('a b', at('link'));
    expect(await client.call('fs/canonicalize', { path: at('link') })).toEqual({ path: at('a b') });
    expect(await client.call('fs/canonicalize', { path: uri('link') })).toEqual({ path: uri('a b') });
    expect((await client.refusal('fs/canonicalize', { path: uri('missing') })).code).toBe(-32004);
  });
});

describe('fs/readDirectory', () => {
  it('resolves links, leaves broken ones out, and bounds the number of entries', async () => {
    const { client, at, directory } = await setUp({ fs: { maxDirectoryEntries: 4 } });
    writeFileSync(at('file'), '');
    mkdirSync(at('sub'));
    symlinkSync('sub', at('link'));
    symlinkSync('nowhere', at('dangling'));
    makeFifo(at('fifo'));
    const { entries } = await client.call<{ entries: { fileName: string }[] }>('fs/readDirectory', {
      path: directory,
    });
    expect(entries.sort((left, right) => (left.fileName < right.fileName ? -1 : 1))).toEqual([
      { fileName: 'fifo', isDirectory: false, isFile: false },
      { fileName: 'file', isDirectory: false, isFile: true },
      { fileName: 'link', isDirectory: true, isFile: false },
      { fileName: 'sub', isDirectory: true, isFile: false },
    ]);
    writeFileSync(at('fifth'), '');
    expect(await client.refusal('fs/readDirectory', { path: directory })).toEqual({
      code: -32603,
      message: 'fs/readDirectory returned 5 entries; limit is 4',
    });
    expect((await client.refusal('fs/readDirectory', { path: at('file') })).message).toMatch(/os error 20/);
  });
});
