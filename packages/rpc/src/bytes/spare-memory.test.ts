import { Buffer } from 'node:buffer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SpareMemory } from './spare-memory.js';

const MIB = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

describe('spare memory', () => {
  const memory = new SpareMemory();

  it('is used again once it is given back, and not before', () => {
    const first = memory.borrow(MIB);
    const second = memory.borrow(MIB);
    expect(second.buffer).not.toBe(first.buffer);
    memory.release(first.subarray(0, 10));
    const third = memory.borrow(MIB / 2);
    expect(third.buffer).toBe(first.buffer);
    expect(memory.borrow(MIB / 2).buffer).not.toBe(first.buffer);
  });

  it('is given back once only', () => {
    const block = memory.borrow(MIB);
    memory.release(block);
    memory.borrow(MIB);
    memory.release(Buffer.alloc(MIB));
    expect(memory.borrow(MIB).buffer).not.toBe(block.buffer);
  });

  it('is left alone when it was not borrowed', () => {
    const own = Buffer.alloc(MIB);
    memory.release(own);
    expect(memory.borrow(MIB).buffer).not.toBe(own.buffer);
  });

  it('is not kept when it is too small, too large, or not used for a while', () => {
    const small = memory.borrow(MIB);
    memory.release(small);
    expect(memory.borrow(2 * MIB).length).toBe(2 * MIB);
    const large = memory.borrow(17 * MIB);
    memory.release(large);
    expect(memory.borrow(5 * MIB).buffer).not.toBe(large.buffer);
    const idle = memory.borrow(3 * MIB);
    memory.release(idle);
    vi.advanceTimersByTime(1001);
    expect(memory.borrow(3 * MIB).buffer).not.toBe(idle.buffer);
  });
});
