import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Archive, encodeArchive } from './archive.js';

const about = { size: 10, mtimeMs: 1.5 };
const parts = new Map([
  ['program.js', Buffer.from('compiled')],
  ['chunk-A.js', Buffer.from('more of it')],
  ['empty.js', Buffer.alloc(0)],
]);

function read(content: Buffer): Archive | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  const file = join(folder, 'archive');
  writeFileSync(file, content);
  const descriptor = openSync(file, 'r');
  onTestFinished(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });
  return Archive.read(descriptor);
}

describe('an archive', () => {
  it('gives back what was put into it', () => {
    const archive = read(encodeArchive(about, parts));
    expect(archive?.about).toEqual(about);
    expect(archive?.names).toEqual([...parts.keys()]);
    for (const [name, data] of parts) expect(archive?.part(name)).toEqual(data);
    archive?.releaseMemory();
    expect(archive?.part('program.js')?.toString()).toBe('compiled');
    expect(archive?.part('constructor')).toBeUndefined();
  });

  it('gives each part where V8 may read words', () => {
    const archive = read(encodeArchive(about, parts));
    for (const name of parts.keys())
      expect(archive?.part(name)?.byteOffset).toSatisfy((at: number) => at % 8 === 0);
    archive?.releaseMemory();
    for (const name of parts.keys())
      expect(archive?.part(name)?.byteOffset).toSatisfy((at: number) => at % 8 === 0);
  });

  it('reads parts that lie together at once, and each alone when its memory was released', () => {
    const long = new Map(Array.from({ length: 6 }, (_, at) => [`${at}`, Buffer.alloc(50_000, at)] as const));
    const archive = read(encodeArchive(about, long));
    for (const [name, data] of long) expect(archive?.part(name)?.equals(data)).toBe(true);
    // What is read ahead is in the same memory, one part behind the other.
    const [first, second] = ['0', '1'].map((name) => archive?.part(name));
    expect(second?.buffer).toBe(first?.buffer);
    expect(second?.byteOffset).toBe((first?.byteOffset ?? 0) + 50_000);
    archive?.releaseMemory();
    for (const [name, data] of long) expect(archive?.part(name)?.equals(data)).toBe(true);
    expect(archive?.part('0')?.buffer.byteLength).toBe(50_000);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['an index that is longer than the file', Buffer.from([255, 255, 0, 0, 123])],
    ['something else', Buffer.from([5, 0, 0, 0, ...Buffer.from('hello')])],
    ['another kind of JSON', Buffer.from([4, 0, 0, 0, ...Buffer.from('null')])],
    ['a file that was cut', encodeArchive(about, parts).subarray(0, -8)],
  ])('is not %s', (_what, content) => {
    expect(read(content)).toBeUndefined();
  });
});
