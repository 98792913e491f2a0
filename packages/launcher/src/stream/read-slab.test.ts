import { describe, expect, it } from 'vitest';
import { ReadSlab } from './read-slab.js';

describe('ReadSlab', () => {
  it('always offers room for a full pipe and never gives a byte out twice', () => {
    const slab = new ReadSlab();
    const given: Buffer[] = [];
    for (let round = 0; round < 200; round += 1) {
      const room = slab.room();
      expect(room.length).toBeGreaterThanOrEqual(64 * 1024);
      const length = 1 + ((round * 7919) % 60_000);
      room.fill(round % 251, 0, length);
      given.push(slab.take(length));
    }
    for (const [round, block] of given.entries()) {
      expect(block.every((byte) => byte === round % 251)).toBe(true);
    }
  });
});
