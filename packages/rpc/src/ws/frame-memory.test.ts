import { Buffer } from 'node:buffer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { borrowMemory, returnMemory } from './frame-memory.js';

const MIB = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

describe('memory for large frames', () => {
  it('is used again once it is given back, and not before', () => {
    const first = borrowMemory(MIB);
    const second = borrowMemory(MIB);
    expect(second.buffer).not.toBe(first.buffer);
    returnMemory(first.subarray(0, 10));
    const third = borrowMemory(MIB / 2);
    expect(third.buffer).toBe(first.buffer);
    expect(borrowMemory(MIB / 2).buffer).not.toBe(first.buffer);
  });

  it('is given back once only', () => {
    const memory = borrowMemory(MIB);
    returnMemory(memory);
    borrowMemory(MIB);
    returnMemory(Buffer.alloc(MIB));
    expect(borrowMemory(MIB).buffer).not.toBe(memory.buffer);
  });

  it('is left alone when it was not borrowed', () => {
    const own = Buffer.alloc(MIB);
    returnMemory(own);
    expect(borrowMemory(MIB).buffer).not.toBe(own.buffer);
  });

  it('is not kept when it is too small, too large, or not used for a while', () => {
    const small = borrowMemory(MIB);
    returnMemory(small);
    expect(borrowMemory(2 * MIB).length).toBe(2 * MIB);
    const large = borrowMemory(17 * MIB);
    returnMemory(large);
    expect(borrowMemory(5 * MIB).buffer).not.toBe(large.buffer);
    const idle = borrowMemory(3 * MIB);
    returnMemory(idle);
    vi.advanceTimersByTime(1001);
    expect(borrowMemory(3 * MIB).buffer).not.toBe(idle.buffer);
  });
});
