// Trees where small calls are made on the event loop: what comes out is what comes out the long way.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TreeEntry } from '@codex/exec-protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FileCalls } from '../calls/file-calls.js';
import type { SyncGate } from '../calls/sync-calls.js';
import { readTree } from './read-tree.js';
import { writeTree } from './write-tree.js';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'quick-trees-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Lets through what `allows` says, and counts it. */
class CountingGate implements SyncGate {
  count = 0;
  readonly #allows: (count: number) => boolean;

  constructor(allows: (count: number) => boolean = () => true) {
    this.#allows = allows;
  }

  run<T>(path: string | Buffer, act: (path: string) => T): T | undefined {
    this.count += 1;
    if (typeof path !== 'string' || !this.#allows(this.count)) return undefined;
    try {
      return act(path);
    } catch {
      return undefined;
    }
  }
}

function layOut(root: string): void {
  for (const directory of ['a/b', 'c', 'empty']) mkdirSync(join(root, directory), { recursive: true });
  for (let index = 0; index < 40; index += 1)
    writeFileSync(join(root, `a/file-${index}`), `${index}`.repeat(index));
  writeFileSync(join(root, 'a/b/large'), Buffer.alloc(3_000_000, 'large'));
  writeFileSync(join(root, 'c/middling'), Buffer.alloc(40_000, 'middling'));
  writeFileSync(join(root, 'c/private'), 'x', { mode: 0o600 });
  writeFileSync(join(root, 'excluded'), 'no');
  symlinkSync('a/file-1', join(root, 'link'));
}

async function readAll(calls: FileCalls, root: string, enoughBytes?: number) {
  const found: { entry: TreeEntry; bytes: string }[] = [];
  for (let after: { path: string; offset: number } | undefined; ; ) {
    const part = await readTree(calls, root, { exclude: ['excluded'], after, enoughBytes });
    let taken = 0;
    for (const entry of part.entries) {
      taken += entry.length ?? 0;
      const bytes = Buffer.from(part.bytes.subarray(taken - (entry.length ?? 0), taken));
      found.push({ entry, bytes: bytes.toString('latin1') });
    }
    expect(taken).toBe(part.bytes.length);
    if (part.next === null) return found;
    after = part.next;
  }
}

const everySecond = (count: number): boolean => count % 2 === 0;

describe('reading', () => {
  it.each([
    ['where all may be quick', () => true],
    ['where the event loop is taken now and then', everySecond],
  ])('gives the same %s', async (_where, allows) => {
    const root = folder();
    layOut(root);
    const gate = new CountingGate(allows);
    for (const enoughBytes of [undefined, 0, 300, 10_000]) {
      const theLongWay = await readAll(new FileCalls(), root, enoughBytes);
      expect(theLongWay.map(({ entry }) => entry.path)).toContain('a/file-39');
      expect(await readAll(new FileCalls({ syncGate: gate }), root, enoughBytes)).toEqual(theLongWay);
    }
    expect(gate.count).toBeGreaterThan(100);
  });
});

describe('writing', () => {
  const file = (path: string, text: string, mode = 0o640): [TreeEntry, string] => [
    { path, kind: 'file', mode, modifiedAtMs: 1_400_000_000_123, length: text.length },
    text,
  ];
  const directory = (path: string, mode: number): [TreeEntry, string] => [
    { path, kind: 'directory', mode, modifiedAtMs: 1_300_000_000_000 },
    '',
  ];
  const write = (calls: FileCalls, root: string, items: readonly [TreeEntry, string][]): Promise<void> =>
    writeTree(
      calls,
      root,
      items.map(([entry]) => entry),
      Buffer.from(items.map(([, text]) => text).join('')),
    );

  it.each([
    ['where all may be quick', () => true],
    ['where the event loop is taken now and then', everySecond],
  ])('leaves the same %s, also a second time', async (_where, allows) => {
    const root = folder();
    const calls = new FileCalls({ syncGate: new CountingGate(allows) });
    const items = [
      directory('a', 0o700),
      ...Array.from({ length: 100 }, (_, index) => file(`a/${index}`, `${index}`)),
      directory('a/b', 0o750),
      file('a/b/c', 'deep', 0o444),
      directory('a', 0o755),
    ];
    for (let round = 0; round < 2; round += 1) await write(calls, root, items);
    for (let index = 0; index < 100; index += 1)
      expect(readFileSync(join(root, `a/${index}`), 'utf8')).toBe(`${index}`);
    expect(readFileSync(join(root, 'a/b/c'), 'utf8')).toBe('deep');
    const modes = ['a', 'a/b', 'a/b/c', 'a/7'].map((path) => statSync(join(root, path)).mode & 0o777);
    expect(modes).toEqual([0o755, 0o750, 0o444, 0o640]);
    expect(Math.floor(statSync(join(root, 'a/7')).mtimeMs)).toBe(1_400_000_000_123);
    expect(Math.floor(statSync(join(root, 'a')).mtimeMs)).toBe(1_300_000_000_000);
  });

  it('carries out two entries of one path in their order, also when only the second could be quick', async () => {
    const root = folder();
    const large = 'l'.repeat(100_000);
    const calls = new FileCalls({ syncGate: new CountingGate() });
    await write(calls, root, [
      directory('a', 0o700),
      file('a/x', large),
      file('a/y', ''),
      file('a/x', 'last'),
    ]);
    expect(readFileSync(join(root, 'a/x'), 'utf8')).toBe('last');
  });

  it('follows no link to a directory', async () => {
    const root = folder();
    const elsewhere = folder();
    symlinkSync(elsewhere, join(root, 'a'));
    const calls = new FileCalls({ syncGate: new CountingGate() });
    await expect(write(calls, root, [file('a/x', 'out')])).rejects.toThrow('a/x');
    await expect(write(calls, root, [directory('a', 0o700)])).rejects.toThrow('a');
    await expect(write(calls, root, [directory('a/b', 0o700)])).rejects.toThrow('a/b');
    expect(statSync(elsewhere).nlink).toBe(2);
    expect(() => statSync(join(elsewhere, 'x'))).toThrow('ENOENT');
  });

  it('lets others have their turn after 3 ms', async () => {
    let clock = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => clock);
    onTestFinished(() => void vi.restoreAllMocks());
    const root = folder();
    const eachTakesATenth = (): boolean => {
      clock += 0.1;
      return true;
    };
    const calls = new FileCalls({ syncGate: new CountingGate(eachTakesATenth) });
    let longest = 0;
    let began = 0;
    let isOver = false;
    const tick = (): void => {
      longest = Math.max(longest, clock - began);
      began = clock;
      if (!isOver) setImmediate(tick);
    };
    setImmediate(tick);
    const items = Array.from({ length: 500 }, (_, index) => file(`${index}`, 'x'));
    await write(calls, root, items);
    expect(clock).toBeGreaterThan(50);
    // Each request has 3 ms; the next one comes in a turn of its own.
    await new Promise((resolve) => setImmediate(resolve));
    await readTree(calls, root, { exclude: [], after: undefined });
    expect(clock).toBeGreaterThan(100);
    isOver = true;
    expect(longest).toBeLessThan(3.5);
  });
});
