import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSmallFile, SMALL_FILE_BYTES, writeSmallFile } from './small-files.js';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'small-files-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const file = { mode: 0o600, bytes: Buffer.from('new'), modifiedAtMs: 1_400_000_000_123 };

describe('small files', () => {
  it("are made with their mode and time, through a name that is nobody else's", () => {
    const place = join(folder(), 'file');
    const partial = `${place}.part`;
    writeSmallFile(place, partial, file);
    expect(readFileSync(place, 'utf8')).toBe('new');
    expect(lstatSync(place).mode & 0o777).toBe(0o600);
    expect(Math.floor(lstatSync(place).mtimeMs)).toBe(1_400_000_000_123);
    symlinkSync('file', partial);
    expect(() => writeSmallFile(place, partial, file)).toThrow('EEXIST');
  });

  it('replace a link, and not what it leads to', () => {
    const directory = folder();
    writeFileSync(join(directory, 'elsewhere'), 'kept');
    symlinkSync('elsewhere', join(directory, 'link'));
    writeSmallFile(join(directory, 'link'), join(directory, '.part'), file);
    expect(readFileSync(join(directory, 'elsewhere'), 'utf8')).toBe('kept');
    expect(readFileSync(join(directory, 'link'), 'utf8')).toBe('new');
    expect(readdirSync(directory).sort()).toEqual(['elsewhere', 'link']);
  });

  it('are removed when they do not get their name', () => {
    const directory = folder();
    expect(() => writeSmallFile(directory, join(directory, '.part'), file)).toThrow();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('are read when they are what they were seen to be', () => {
    const directory = folder();
    const place = join(directory, 'file');
    writeFileSync(place, 'bytes');
    expect(String(readSmallFile(place, 5))).toBe('bytes');
    for (const size of [0, 4, 6]) expect(readSmallFile(place, size)).toBeUndefined();
    truncateSync(place, SMALL_FILE_BYTES + 1);
    expect(readSmallFile(place, SMALL_FILE_BYTES)).toBeUndefined();
    expect(readSmallFile(place, SMALL_FILE_BYTES + 1)).toBeUndefined();
    expect(() => readSmallFile(directory, 5)).toThrow('EISDIR');
    symlinkSync('file', join(directory, 'link'));
    expect(() => readSmallFile(join(directory, 'link'), 5)).toThrow('ELOOP');
  });

  it('lie one behind the other, and none is written over by a later one', () => {
    const directory = folder();
    const texts = Array.from({ length: 90 }, (_, index) => `${index} `.repeat(10_000));
    const read = texts.map((text, index) => {
      writeFileSync(join(directory, `${index}`), text);
      return readSmallFile(join(directory, `${index}`), text.length);
    });
    expect(read.map(String)).toEqual(texts);
    const isBehindTheOneBefore = read.map(
      (bytes, index) =>
        bytes?.buffer === read[index - 1]?.buffer &&
        bytes?.byteOffset === (read[index - 1]?.byteOffset ?? 0) + (read[index - 1]?.length ?? 0),
    );
    expect(isBehindTheOneBefore.filter(Boolean).length).toBeGreaterThan(80);
  });
});
