import { displayPath } from '@codex/exec-files';
import { materialize } from '@codex/exec-protocol';
import type { BulkSource } from '@codex/exec-rpc';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangeBatch } from './change-batch.js';

interface Notification {
  readonly params: { watchId: string; changes: Record<string, string>[]; overflow?: boolean };
}

function batchUnderTest() {
  let source: BulkSource | undefined;
  const batch = new ChangeBatch({
    watchId: 'w',
    formatPath: displayPath,
    addBulkSource: (added) => {
      source = added;
      return { wake: () => undefined, remove: () => undefined };
    },
  });
  const next = (): Notification['params'] | undefined => {
    const message = source?.next();
    return message === undefined ? undefined : (JSON.parse(materialize(message)) as Notification).params;
  };
  return { batch, next };
}

describe('changes on their way to the client', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are joined for a moment and keep their order', () => {
    const { batch, next } = batchUnderTest();
    batch.add('created', '/a');
    batch.add('modified', '/a');
    batch.add('modified', '/b');
    batch.add('modified', '/b');
    batch.add('removed', '/a');
    batch.add('created', '/a');
    expect(next()).toBeUndefined();
    vi.advanceTimersByTime(10);
    const kinds = next()?.changes.map(({ kind, path }) => `${kind} ${path}`);
    expect(kinds).toEqual(['created /a', 'modified /b', 'removed /a', 'created /a']);
    expect(next()).toBeUndefined();
  });

  it('report a modification again once the earlier one was sent', () => {
    const { batch, next } = batchUnderTest();
    for (let round = 0; round < 2; round += 1) {
      batch.add('modified', '/a');
      vi.advanceTimersByTime(10);
      expect(next()?.changes).toEqual([{ path: '/a', kind: 'modified' }]);
      expect(next()).toBeUndefined();
    }
  });

  it('turn a removal and an arrival into a rename', () => {
    const { batch, next } = batchUnderTest();
    batch.add('removed', '/a');
    batch.rename('/a', '/b');
    vi.advanceTimersByTime(10);
    expect(next()?.changes).toEqual([{ path: '/b', kind: 'renamed', previousPath: '/a' }]);
  });

  it('leave them two changes when something else came between', () => {
    const { batch, next } = batchUnderTest();
    batch.add('removed', '/a');
    batch.add('created', '/a');
    batch.rename('/a', '/b');
    vi.advanceTimersByTime(10);
    const kinds = next()?.changes.map(({ kind, path }) => `${kind} ${path}`);
    expect(kinds).toEqual(['removed /a', 'created /a', 'created /b']);
  });

  it('come in messages of bounded size', () => {
    const { batch, next } = batchUnderTest();
    for (let index = 0; index < 4500; index += 1) batch.add('created', `/${index}`);
    vi.advanceTimersByTime(10);
    expect([next(), next(), next()].map((params) => params?.changes.length)).toEqual([2000, 2000, 500]);
    expect(next()).toBeUndefined();
  });

  it('report a path again once it was sent, while others still wait', () => {
    const { batch, next } = batchUnderTest();
    for (let index = 0; index < 2500; index += 1) batch.add('created', `/${index}`);
    batch.add('removed', '/1');
    vi.advanceTimersByTime(10);
    expect(next()?.changes).toHaveLength(2000);
    batch.add('modified', '/0'); // sent
    batch.add('removed', '/1'); // sent as created, still waiting as removed
    batch.add('modified', '/2400'); // still waiting
    const kinds = next()
      ?.changes.slice(500)
      .map(({ kind, path }) => `${kind} ${path}`);
    expect(kinds).toEqual(['removed /1', 'modified /0']);
  });

  it('report both names of a rename again once it was sent', () => {
    const { batch, next } = batchUnderTest();
    batch.add('removed', '/a');
    batch.rename('/a', '/b');
    for (let index = 0; index < 2500; index += 1) batch.add('created', `/${index}`);
    vi.advanceTimersByTime(10);
    expect(next()?.changes).toHaveLength(2000);
    batch.add('removed', '/a');
    batch.add('removed', '/b');
    const kinds = next()
      ?.changes.slice(501)
      .map(({ kind, path }) => `${kind} ${path}`);
    expect(kinds).toEqual(['removed /a', 'removed /b']);
  });

  it('become an overflow when nobody takes them', () => {
    const { batch, next } = batchUnderTest();
    for (let index = 0; index <= 100_000; index += 1) batch.add('created', `/${index}`);
    vi.advanceTimersByTime(10);
    expect(next()).toEqual({ watchId: 'w', overflow: true, changes: [{ path: '/100000', kind: 'created' }] });
  });
});
