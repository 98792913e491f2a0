import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SMALL_FILE_BYTES } from '../../small-file.js';
import { PartMemory } from './part-memory.js';
import { listSmallDirectory, makeDirectory, readSmallEntry } from './quick-entries.js';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'quick-entries-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe('a small directory', () => {
  it('is listed with the kinds of its entries', () => {
    const root = folder();
    mkdirSync(join(root, 'directory'));
    writeFileSync(join(root, 'file'), '');
    symlinkSync('file', join(root, 'link'));
    const found = listSmallDirectory(root)?.map(({ name, kind }) => [name, kind]);
    expect(found?.sort()).toEqual([
      ['directory', 'directory'],
      ['file', 'file'],
      ['link', 'symlink'],
    ]);
  });

  it('is none with more than 512 entries', () => {
    const root = folder();
    for (let index = 0; index < 512; index += 1) writeFileSync(join(root, `${index}`), '');
    expect(listSmallDirectory(root)).toHaveLength(512);
    writeFileSync(join(root, 'one more'), '');
    expect(listSmallDirectory(root)).toBeUndefined();
  });

  it('gets its mode and time also where it is there already', () => {
    const place = join(folder(), 'made');
    for (const mode of [0o750, 0o700]) {
      makeDirectory(place, { path: 'made', kind: 'directory', mode, modifiedAtMs: 1_400_000_000_123 });
      expect(statSync(place).mode & 0o777).toBe(mode);
      expect(Math.floor(statSync(place).mtimeMs)).toBe(1_400_000_000_123);
    }
  });

  it('is not made where a file or a link stands', () => {
    const root = folder();
    writeFileSync(join(root, 'file'), '');
    mkdirSync(join(root, 'elsewhere'), { mode: 0o755 });
    symlinkSync('elsewhere', join(root, 'link'));
    for (const name of ['file', 'link'])
      expect(() => makeDirectory(join(root, name), { path: name, kind: 'directory', mode: 0o700 })).toThrow();
    expect(statSync(join(root, 'elsewhere')).mode & 0o777).toBe(0o755);
  });
});

describe('a small entry', () => {
  const most = SMALL_FILE_BYTES;

  it('is read behind what was read before', () => {
    const place = join(folder(), 'file');
    const memory = new PartMemory();
    for (const text of ['one', '', 'three']) {
      writeFileSync(place, text);
      expect(readSmallEntry(place, memory, most)?.size).toBe(text.length);
      memory.take(text.length);
    }
    expect(String(memory.contents)).toBe('onethree');
  });

  it('is nothing but a regular file of so many bytes', () => {
    const root = folder();
    const at = (name: string): string => join(root, name);
    writeFileSync(at('file'), 'bytes');
    writeFileSync(at('large'), Buffer.alloc(SMALL_FILE_BYTES + 1));
    symlinkSync('file', at('link'));
    execFileSync('mkfifo', [at('pipe')]);
    const memory = new PartMemory();
    expect(() => readSmallEntry(at('link'), memory, most)).toThrow('ELOOP');
    for (const name of ['pipe', 'large', '.']) expect(readSmallEntry(at(name), memory, most)).toBeUndefined();
    expect(readSmallEntry(at('file'), memory, 4)).toBeUndefined();
    expect(memory.used).toBe(0);
  });
});

describe('the memory of a part', () => {
  it('keeps what is in it when it grows, as large as a part can be', () => {
    const memory = new PartMemory(0);
    const write = (text: string, length: number): void => {
      memory.withRoomFor(length).fill(text, memory.used, memory.used + length);
      memory.take(length);
    };
    write('a', 1000);
    expect(memory.withRoomFor(0)).toHaveLength(SMALL_FILE_BYTES);
    write('b', 100_000);
    write('c', 10);
    expect(String(memory.contents)).toBe('a'.repeat(1000) + 'b'.repeat(100_000) + 'c'.repeat(10));
  });

  it('is no larger than a large file that is alone in it', () => {
    const memory = new PartMemory(1_000_000);
    expect(memory.withRoomFor(50_000)).toHaveLength(50_000);
  });
});
