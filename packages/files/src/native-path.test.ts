import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import {
  compareNames,
  componentsOf,
  displayPath,
  fromBytes,
  joinName,
  type NativePath,
  nameOf,
  parentOf,
  pathKey,
  sortByName,
  trimTrailingSlashes,
} from './native-path.js';

const notUtf8 = Buffer.from([0x2f, 0x61, 0x2f, 0xff]);

describe('native paths', () => {
  it('are text where the bytes are UTF-8, bytes where they are not', () => {
    expect(fromBytes(Buffer.from('/é'))).toBe('/é');
    expect(fromBytes(notUtf8)).toEqual(notUtf8);
    expect(displayPath(notUtf8)).toBe('/a/\ufffd');
  });

  it('join text and bytes', () => {
    expect(joinName('/', 'a')).toBe('/a');
    expect(joinName('/a', 'b')).toBe('/a/b');
    expect(joinName('/a', Buffer.from([0xff]))).toEqual(notUtf8);
    expect(joinName(notUtf8, 'x')).toEqual(Buffer.concat([notUtf8, Buffer.from('/x')]));
  });

  it('come apart into components, parent and name', () => {
    expect(componentsOf('//a/./b//..')).toEqual(['a', 'b', '..']);
    expect(componentsOf(notUtf8)).toEqual(['a', Buffer.from([0xff])]);
    expect(componentsOf('/')).toEqual([]);
    expect(parentOf('/a/b')).toBe('/a');
    expect(parentOf('/a')).toBe('/');
    expect(parentOf(notUtf8)).toBe('/a');
    expect(nameOf('/a/b')).toBe('b');
    expect(nameOf('/')).toBeUndefined();
  });

  it('lose the slashes at their end, but not the root', () => {
    expect(trimTrailingSlashes('/a//')).toBe('/a');
    expect(trimTrailingSlashes('/')).toBe('/');
    expect(trimTrailingSlashes(Buffer.concat([notUtf8, Buffer.from('/')]))).toEqual(notUtf8);
  });

  it('sort by bytes', () => {
    expect(['é', 'a', '_', 'Z'].sort(compareNames)).toEqual(['Z', '_', 'a', 'é']);
  });

  it('sort entries the same, whatever is among them', () => {
    const sorted = (...names: NativePath[]) => {
      const entries = names.map((name) => ({ name }));
      sortByName(entries);
      return entries.map(({ name }) => name);
    };
    expect(sorted('é', 'a', '_', 'Z')).toEqual(['Z', '_', 'a', 'é']);
    expect(sorted('\u{1f600}', '\uff5e', 'a')).toEqual(['a', '\uff5e', '\u{1f600}']);
    const bytes = Buffer.from([0xff]);
    expect(sorted(bytes, 'a', 'é')).toEqual(['a', 'é', bytes]);
  });

  it('have keys that differ when the bytes do', () => {
    expect(pathKey(Buffer.from([0xff]))).not.toBe(pathKey(Buffer.from([0xfe])));
    expect(pathKey('a')).toBe('a');
  });
});
