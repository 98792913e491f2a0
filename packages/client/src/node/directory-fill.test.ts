import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TreeEntry } from '@codex/exec-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DirectoryFill } from './directory-fill.js';
import { NodeTreeWriter } from './node-tree-writer.js';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'directory-fill-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const file = { mode: 0o640, bytes: Buffer.from('new'), modifiedAtMs: 1_400_000_000_123 };

describe('a new directory', () => {
  it('has its name when the files that come with it are in it', () => {
    const root = folder();
    const place = join(root, 'new');
    const fill = DirectoryFill.begin('new', { place, partial: join(root, '.part') }, 0o700);
    expect(fill?.add('file', file)).toBe(true);
    expect(existsSync(place)).toBe(false);
    expect(fill?.endQuickly()).toBe(true);
    expect(readdirSync(root)).toEqual(['new']);
    expect(statSync(place).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(place, 'file'), 'utf8')).toBe('new');
    expect(Math.floor(statSync(join(place, 'file')).mtimeMs)).toBe(file.modifiedAtMs);
  });

  it('is none where something stands, and replaces nothing that comes there meanwhile but an empty directory', async () => {
    const root = folder();
    const place = join(root, 'there');
    const partial = join(root, '.part');
    writeFileSync(place, 'kept');
    expect(DirectoryFill.begin('there', { place, partial }, 0o700)).toBeUndefined();
    expect(readdirSync(root)).toEqual(['there']);
    rmSync(place);
    const fill = DirectoryFill.begin('there', { place, partial }, 0o700);
    mkdirSync(place);
    writeFileSync(join(place, 'kept'), 'kept');
    expect(fill?.endQuickly()).toBe(false);
    await expect(fill?.end()).rejects.toThrow();
    await fill?.remove();
    expect(readdirSync(root)).toEqual(['there']);
    expect(readdirSync(place)).toEqual(['kept']);
  });
});

describe('a tree', () => {
  const bytes = Buffer.from('new');
  const directory = (path: string) => ({
    entry: { path, kind: 'directory', mode: 0o755 } satisfies TreeEntry as TreeEntry,
    bytes: new Uint8Array(0),
  });
  const small = (path: string, size = bytes.length) => ({
    entry: { path, kind: 'file', mode: 0o644, size, length: bytes.length } satisfies TreeEntry as TreeEntry,
    bytes,
  });
  const below = (root: string): string[] => readdirSync(root, { recursive: true }).map(String).sort();

  it('has nothing else in it, whatever comes behind the files of a new directory', async () => {
    const root = join(folder(), 'root');
    const writer = new NodeTreeWriter(root);
    await writer.write([
      directory(''),
      directory('a'),
      small('a/1'),
      small('a/1'),
      directory('a/b'),
      small('a/b/2'),
    ]);
    expect(below(root)).toEqual(['a', 'a/1', 'a/b', 'a/b/2']);
    await writer.write([
      small('a/b/3'),
      small('a/4'),
      directory('c'),
      small('c/5'),
      small('6'),
      directory('d'),
    ]);
    await writer.finish();
    expect(below(root)).toEqual(['6', 'a', 'a/1', 'a/4', 'a/b', 'a/b/2', 'a/b/3', 'c', 'c/5', 'd']);
    for (const path of ['6', 'a/1', 'a/b/3', 'c/5'])
      expect(readFileSync(join(root, path), 'utf8')).toBe('new');
  });

  it('keeps what came of a directory when a later file of it cannot be written', async () => {
    const root = join(folder(), 'root');
    const writer = new NodeTreeWriter(root);
    await writer.write([directory(''), directory('a'), small('a/1')]);
    const tooLong = `a/${'n'.repeat(256)}`;
    await expect(writer.write([directory('b'), small('b/2'), small(`b/${tooLong}`)])).rejects.toThrow();
    await writer.abandon();
    expect(below(root)).toEqual(['a', 'a/1', 'b', 'b/2']);
  });

  it('leaves nothing of a large file that did not come to its end in a new directory', async () => {
    const root = join(folder(), 'root');
    const writer = new NodeTreeWriter(root);
    await writer.write([directory(''), directory('a'), small('a/1'), small('a/2', 100_000)]);
    await expect(writer.finish()).rejects.toThrow('a/2');
    await writer.abandon();
    expect(below(root)).toEqual(['a', 'a/1']);
  });
});
