import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfirmedPosition } from './confirmed-position.js';

describe('ConfirmedPosition', () => {
  it('follows what was read of a connection, the last message included', () => {
    const position = new ConfirmedPosition();
    position.begin(1, 1000);
    position.sent(2, 1100);
    position.sent(3, 1200);
    position.read(1199);
    expect(position.seq).toBe(1);
    position.read(1200);
    expect(position.seq).toBe(3);
  });

  it('begins anew with each connection, and keeps what was known', () => {
    const position = new ConfirmedPosition();
    position.sent(9, 500_000);
    position.read(500_000);
    position.begin(9, 0);
    position.sent(12, 200_000);
    position.read(100_000);
    expect(position.seq).toBe(9);
    position.told(4);
    expect(position.seq).toBe(4);
  });

  it('never says more than was read, and is never far behind', () => {
    const message = fc.integer({ min: 1, max: 90_000 });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 80 }), fc.nat(3_000_000), (sizes, read) => {
        const position = new ConfirmedPosition();
        let sent = 0;
        const ends = sizes.map((size, index) => {
          sent += size;
          position.sent(index + 2, sent);
          return sent;
        });
        position.read(read);
        const whole = ends.filter((end) => end <= read).length;
        expect(position.seq - 1).toBeLessThanOrEqual(whole);
        const behind = (ends[whole - 1] ?? 0) - (ends[position.seq - 2] ?? 0);
        expect(behind).toBeLessThan(64 * 1024 + 90_000);
      }),
    );
  });
});
