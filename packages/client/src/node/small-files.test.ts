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

  it('are read when they are regular files with something in them, and small', () => {
    const directory = folder();
    const place = join(directory, 'file');
    writeFileSync(place, '');
    expect(readSmallFile(place)).toBeUndefined();
    writeFileSync(place, 'bytes');
    expect(String.fromCharCode(...(readSmallFile(place) ?? []))).toBe('bytes');
    truncateSync(place, SMALL_FILE_BYTES + 1);
    expect(readSmallFile(place)).toBeUndefined();
    expect(readSmallFile(directory)).toBeUndefined();
    symlinkSync('file', join(directory, 'link'));
    expect(() => readSmallFile(join(directory, 'link'))).toThrow('ELOOP');
  });
});
