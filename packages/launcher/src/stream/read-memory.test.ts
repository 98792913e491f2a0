import { describe, expect, it } from 'vitest';
import { readMemory } from './read-memory.js';

describe('readMemory', () => {
  it('is read into again where blocks are transient, by all processes', () => {
    const [one, other] = [readMemory({ transient: true }), readMemory({ transient: true })];
    one.room().fill(1, 0, 10);
    const block = one.take(10);
    expect([...block]).toEqual(Array.from({ length: 10 }, () => 1));
    expect(other.room().buffer).toBe(block.buffer);
    expect(other.room().length).toBeGreaterThanOrEqual(64 * 1024);
  });

  it('belongs to the receiver of the block otherwise', () => {
    const memory = readMemory();
    memory.room().fill(1, 0, 10);
    const block = memory.take(10);
    memory.room().fill(2, 0, 10);
    expect(block.every((byte) => byte === 1)).toBe(true);
  });
});
