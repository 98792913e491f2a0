import { Buffer } from 'node:buffer';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { GatheredFrame } from './gathered-frame.js';

const MIB = 1024 * 1024;

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a gathered frame', () => {
  it('takes no more memory than a multiple of what has arrived, whatever was announced', () => {
    const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow');
    const taken = (): number => Math.max(0, ...allocate.mock.calls.map(([size]) => size));
    const frame = new GatheredFrame(64 * MIB, undefined);
    expect(taken()).toBeLessThanOrEqual(MIB + 4096);
    frame.add(Buffer.alloc(MIB / 2));
    expect(taken()).toBeLessThanOrEqual(MIB + 4096);
    for (let blocks = 0; blocks < 9; blocks++) frame.add(Buffer.alloc(64 * 1024));
    expect(taken()).toBeLessThan(20 * MIB);
    expect(frame.missing).toBe(64 * MIB - MIB / 2 - 9 * 64 * 1024);
  });

  it('keeps what it had when it grows, and the place in the mask', () => {
    const mask = Buffer.from([1, 20, 30, 40]);
    const payload = Buffer.alloc(3 * MIB + 5, 'what is sent ');
    const frame = new GatheredFrame(payload.length, mask);
    const sent = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
    for (let at = 0; at < sent.length; at += 99_991) frame.add(Buffer.from(sent.subarray(at, at + 99_991)));
    expect(frame.missing).toBe(0);
    expect(frame.bytes.equals(payload)).toBe(true);
  });

  it('does not depend on a mask that is overwritten later', () => {
    const mask = Buffer.from([9, 9, 9, 9]);
    const frame = new GatheredFrame(1, mask);
    mask.fill(0);
    frame.add(Buffer.from([9]));
    expect(frame.bytes[0]).toBe(0);
  });
});
