import { describe, expect, it } from 'vitest';
import { type ReadMemory, readMemory } from './read-memory.js';

const room = ({ target }: ReadMemory) => (typeof target === 'function' ? target() : target);

describe('readMemory', () => {
  it('is read into again where blocks are transient, by all processes', () => {
    const [one, other] = [readMemory({ transient: true }), readMemory({ transient: true })];
    room(one).fill(1, 0, 10);
    const block = one.take(10);
    expect([...block]).toEqual(Array.from({ length: 10 }, () => 1));
    expect(room(other).buffer).toBe(block.buffer);
    expect(room(other).length).toBeGreaterThanOrEqual(64 * 1024);
  });

  it('belongs to the receiver of the block otherwise', () => {
    const memory = readMemory();
    room(memory).fill(1, 0, 10);
    const block = memory.take(10);
    room(memory).fill(2, 0, 10);
    expect(block.every((byte) => byte === 1)).toBe(true);
  });
});
