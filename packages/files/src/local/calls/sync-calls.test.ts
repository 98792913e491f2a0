import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FileGuard, NO_GUARD } from './file-guard.js';
import { fileTime, SyncCalls, type SyncGate } from './sync-calls.js';

const OPEN: SyncGate = {
  run(path, act) {
    try {
      return typeof path === 'string' ? act(path) : undefined;
    } catch {
      return undefined;
    }
  },
};
const CLOSED: SyncGate = { run: () => undefined };

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sync-calls-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  writeFileSync(join(path, 'file'), '0123456789');
  symlinkSync('file', join(path, 'link'));
  mkdirSync(join(path, 'directory'));
  return path;
}

describe('a part of a file that is read synchronously', () => {
  const read = (place: string, length: number, position = 0, gate = OPEN) => {
    const target = Buffer.alloc(length);
    const isRead = new SyncCalls(gate, NO_GUARD).readAt(place, place, { target, position });
    return isRead ? target.toString() : undefined;
  };

  it('is all of what was asked for', () => {
    const file = join(folder(), 'file');
    expect(read(file, 10)).toBe('0123456789');
    expect(read(file, 3, 4)).toBe('456');
    expect(read(file, 0)).toBe('');
  });

  it('is left to the long way where less is there, or no file, or a link, or more than a small file holds', () => {
    const path = folder();
    expect(read(join(path, 'file'), 11)).toBeUndefined();
    expect(read(join(path, 'file'), 3, 8)).toBeUndefined();
    for (const name of ['link', 'directory', 'missing']) expect(read(join(path, name), 0)).toBeUndefined();
    expect(read(join(path, 'file'), 32 * 1024 + 1)).toBeUndefined();
    expect(read(join(path, 'file'), 10, 0, CLOSED)).toBeUndefined();
  });
});

it('looks at an entry without following it, where the gate is open', () => {
  const link = join(folder(), 'link');
  expect(new SyncCalls(OPEN, NO_GUARD).lookAt(link, link)?.isSymbolicLink()).toBe(true);
  expect(new SyncCalls(CLOSED, NO_GUARD).lookAt(link, link)).toBeUndefined();
});

it('gives new files exactly the mode that is asked for, and learns which modes come so by themselves', () => {
  const path = folder();
  const calls = new SyncCalls(OPEN, NO_GUARD);
  const exactModes = new Set<number>();
  for (const [index, mode] of [0o600, 0o666, 0o600, 0o777, 0o666].entries()) {
    const place = join(path, `new-${index}`);
    const file = { bytes: Buffer.from('x'), mode, exactModes };
    expect(calls.create(path, place, file)).toBe(true);
    expect(lstatSync(place).mode & 0o777).toBe(mode);
  }
  const taken = process.umask();
  expect([...exactModes]).toEqual([0o600, 0o666, 0o777].filter((mode) => (mode & taken) === 0));
});

it('makes new files only where there is nothing, not even a link', () => {
  const path = folder();
  const calls = new SyncCalls(OPEN, NO_GUARD);
  symlinkSync('target', join(path, 'dangling'));
  const file = { bytes: Buffer.from('new'), mode: 0o600, exactModes: undefined };
  for (const name of ['file', 'link', 'dangling'])
    expect(calls.create(path, join(path, name), file)).toBe(false);
  expect(readFileSync(join(path, 'file'), 'utf8')).toBe('0123456789');
  expect(() => lstatSync(join(path, 'target'))).toThrow('ENOENT');
});

it('leaves nothing of the longer file that it overwrites', () => {
  const file = join(folder(), 'file');
  expect(new SyncCalls(OPEN, NO_GUARD).overwrite(file, Buffer.from('short'))).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('short');
});

it('asks the guard about the file that it has opened, before its bytes go anywhere', () => {
  const file = join(folder(), 'file');
  const refuse = (): never => {
    throw new Error('denied');
  };
  const guard: FileGuard = { ...NO_GUARD, checkReadable: refuse, checkWritable: refuse };
  const calls = new SyncCalls(OPEN, guard);
  expect(calls.readFile(file)).toBeUndefined();
  expect(calls.overwrite(file, Buffer.from('other'))).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('0123456789');
});

it.each([1_700_000_000_001, 1_700_000_000_999, 4_102_444_799_999, 0, -1, -86_400_001])(
  'keeps the time %d',
  (ms) => {
    const file = join(folder(), 'file');
    utimesSync(file, fileTime(ms), fileTime(ms));
    expect(statSync(file, { bigint: true }).mtimeNs / 1_000_000n).toBe(BigInt(ms));
  },
);
