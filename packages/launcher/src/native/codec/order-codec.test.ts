import { describe, expect, it } from 'vitest';
import { encodeOrder, type Order } from './order-codec.js';

describe('encodeOrder', () => {
  it.each<[Order, number[]]>([
    [{ type: 'opened' }, [1, 0, 0]],
    [{ type: 'signal', scope: 'command', signal: 15 }, [2, 0, 15]],
    [{ type: 'signal', scope: 'group', signal: 2 }, [2, 1, 2]],
    [{ type: 'signal', scope: 'descendants', signal: 1 }, [2, 2, 1]],
    [{ type: 'killTree' }, [3, 0, 0]],
    [{ type: 'resize', rows: 50, cols: 132 }, [4, 50, 132]],
    [{ type: 'ptyClosed' }, [5, 0, 0]],
  ])('writes %o', (order, numbers) => {
    const bytes = encodeOrder(order);
    expect([0, 4, 8].map((at) => bytes.readUInt32LE(at))).toEqual(numbers);
    expect(bytes).toHaveLength(12);
  });

  it('writes bytes, and what is to be kept behind them', () => {
    const order = encodeOrder({ type: 'bytes', bytes: Buffer.from('abc'), keptMounts: ['/a', '/b c'] });
    expect([0, 4, 8].map((at) => order.readUInt32LE(at))).toEqual([7, 3, 8]);
    expect(order.toString('latin1', 12)).toBe('abc/a\0/b c\0');
    expect(
      [0, 4, 8].map((at) => encodeOrder({ type: 'bytes', bytes: Buffer.of(1) }).readUInt32LE(at)),
    ).toEqual([7, 1, 0]);
  });
});
