import type { ProcessEvent } from '@codex/exec-client';
import { describe, expect, it } from 'vitest';
import { OutputDeltas } from './output-deltas.js';

const output = (...bytes: number[]): ProcessEvent => ({
  type: 'output',
  seq: 1,
  stream: 'stdout',
  bytes: Uint8Array.from(bytes),
  text: '',
  cursor: 'seq:1',
});

describe('output deltas', () => {
  it('hold a character back until it is whole, and give up what never was', () => {
    const deltas = new OutputDeltas('c', { maxDeltas: 10, maxDeltaBytes: 100 });
    expect(deltas.of(output(0xc3))).toEqual([]);
    expect(deltas.of(output(0xa9))).toMatchObject([{ type: 'delta', bytes: Uint8Array.from([0xc3, 0xa9]) }]);
    expect(deltas.of(output(0xc3))).toEqual([]);
    expect(deltas.rest()).toMatchObject([{ type: 'delta', bytes: Uint8Array.from([0xc3]) }]);
  });

  it('are bounded, and say once when they are', () => {
    const deltas = new OutputDeltas('c', { maxDeltas: 2, maxDeltaBytes: 4 });
    const types = deltas.of(output(...'abcdefghijklmnop'.split('').map((letter) => letter.charCodeAt(0))));
    expect(types.map(({ type }) => type)).toEqual(['delta', 'delta', 'deltaQuotaReached']);
  });

  it('tell of output that is gone', () => {
    const deltas = new OutputDeltas('c', { maxDeltas: 2, maxDeltaBytes: 4 });
    const gap = { fromSeq: 1, toSeq: 2, bytes: 5, why: 'serverEvicted' } as const;
    expect(deltas.of({ type: 'gap', gap, cursor: 'seq:2' })).toEqual([
      { type: 'gap', callId: 'c', bytes: 5, why: 'serverEvicted' },
    ]);
  });
});
