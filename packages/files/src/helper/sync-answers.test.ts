import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PolicyGuard } from './guard/policy-guard.js';
import { SyncAnswers } from './sync-answers.js';

const NOTHING = new Uint8Array();
const bytes = (text: string) => new TextEncoder().encode(text);

describe.runIf(process.platform === 'linux')('requests that are answered in their turn', () => {
  let base = '';
  let ws = '';
  let maySync = true;
  let calls: SyncAnswers;
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'at-once-')));
    ws = join(base, 'ws');
    mkdirSync(ws);
    mkdirSync(join(base, 'read'));
    for (const path of ['secret', 'read/file', 'ws/file', 'ws/late.denied']) {
      writeFileSync(join(base, path), `contents of ${path}`);
    }
    const guard = new PolicyGuard({
      rules: [
        { path: join(base, 'read'), access: 'read' },
        { path: ws, access: 'write' },
      ],
      denyGlobs: [`${ws}/*.denied`],
      protectedNames: ['.git'],
      fullDiskWrite: false,
    });
    maySync = true;
    guard.maySync = () => maySync;
    calls = new SyncAnswers(guard);
  });
  afterEach(() => {
    rmSync(base, { recursive: true, force: true });
  });

  const read = (path: string, more: object = {}) => {
    const payload = calls.answer('readFile', { path, maxBytes: 1000, ...more }, NOTHING)?.payload;
    return payload === undefined ? undefined : new TextDecoder().decode(payload);
  };
  const write = (path: string, text: string, options: object = {}) =>
    calls.answer('writeFile', { path, options }, bytes(text)) !== undefined;
  const contents = (path: string) => readFileSync(join(base, path), 'utf8');

  it('are reads of small files that the policy lets be read', () => {
    expect(read(join(ws, 'file'))).toBe('contents of ws/file');
    expect(read(join(base, 'read/file'))).toBe('contents of read/file');
    expect(read(join(base, 'secret'))).toBeUndefined();
    expect(read(join(ws, 'late.denied'))).toBeUndefined();
  });

  it('are overwrites of files that the policy lets be written, whatever their length', () => {
    expect(write(join(ws, 'file'), 'short')).toBe(true);
    expect(contents('ws/file')).toBe('short');
    expect(write(join(ws, 'file'), 'rather longer')).toBe(true);
    expect(contents('ws/file')).toBe('rather longer');
    for (const path of ['read/file', 'secret', 'ws/late.denied']) {
      expect(write(join(base, path), 'planted')).toBe(false);
      expect(contents(path)).toBe(`contents of ${path}`);
    }
  });

  it('are judged by what was opened and not by its name', () => {
    symlinkSync(base, join(ws, 'door'));
    symlinkSync(join(base, 'secret'), join(ws, 'link'));
    for (const path of [join(ws, 'door/secret'), join(ws, 'link'), `${ws}/../secret`]) {
      expect(read(path)).toBeUndefined();
      expect(write(path, 'planted')).toBe(false);
    }
    expect(read(join(ws, 'door/ws/file'))).toBe('contents of ws/file');
    expect(contents('secret')).toBe('contents of secret');
  });

  it('never create a file, and touch no protected name', () => {
    expect(write(join(ws, 'new'), 'x')).toBe(false);
    expect(existsSync(join(ws, 'new'))).toBe(false);
    mkdirSync(join(ws, '.git'));
    writeFileSync(join(ws, '.git/config'), 'mine');
    expect(write(join(ws, '.git/config'), 'planted')).toBe(false);
    expect(contents('ws/.git/config')).toBe('mine');
  });

  it('are nothing unusual', () => {
    for (const option of ['atomic', 'append', 'exclusive']) {
      expect(write(join(ws, 'file'), 'x', { [option]: true })).toBe(false);
    }
    expect(write(join(ws, 'file'), 'x', { mode: 0o600 })).toBe(false);
    expect(write(join(ws, 'file'), 'x', { followSymlinks: false })).toBe(false);
    expect(write(join(ws, 'file'), '')).toBe(false);
    expect(write(ws, 'x')).toBe(false);
    expect(read(join(ws, 'file'), { followSymlinks: false })).toBeUndefined();
    expect(read(join(ws, 'file'), { maxBytes: 3 })).toBeUndefined();
    expect(read('/proc/self/status')).toBeUndefined();
    expect(calls.answer('getMetadata', { path: join(ws, 'file') }, NOTHING)).toBeUndefined();
    expect(contents('ws/file')).toBe('contents of ws/file');
  });

  it('are none where a file system may keep a call waiting', () => {
    maySync = false;
    expect(read(join(ws, 'file'))).toBeUndefined();
    expect(write(join(ws, 'file'), 'x')).toBe(false);
  });
});
