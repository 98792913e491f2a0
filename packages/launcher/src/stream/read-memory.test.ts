import { describe, expect, it } from 'vitest';
import { type ReadMemory, ReadSlab, readMemory } from './read-memory.js';

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

describe('ReadSlab', () => {
  it('never gives a byte out twice', () => {
    const slab = new ReadSlab();
    const given: { block: Buffer; mark: number }[] = [];
    for (let round = 0; round < 200; round += 1) {
      const room = slab.room();
      const mark = round % 251;
      const length = 1 + ((round * 7919) % room.length);
      room.fill(mark, 0, length);
      given.push({ block: slab.take(length), mark });
    }
    for (const { block, mark } of given) expect(block.every((byte) => byte === mark)).toBe(true);
  });

  it('packs small reads together', () => {
    const slab = new ReadSlab();
    const buffers = new Set<ArrayBufferLike>();
    for (let round = 0; round < 100; round += 1) {
      slab.room();
      buffers.add(slab.take(10).buffer);
    }
    expect(buffers.size).toBe(1);
  });

  it('offers room for a full pipe after a large read', () => {
    const slab = new ReadSlab();
    expect(slab.room().length).toBeLessThan(64 * 1024);
    slab.take(slab.room().length);
    for (let round = 0; round < 20; round += 1) {
      expect(slab.room().length).toBeGreaterThanOrEqual(64 * 1024);
      slab.take(50_000);
    }
  });
});
