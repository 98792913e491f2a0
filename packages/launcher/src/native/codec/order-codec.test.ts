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
});
