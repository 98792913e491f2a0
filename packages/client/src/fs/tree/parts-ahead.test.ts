import { FIRST_TREE_BYTES, TREE_PAYLOAD_BYTES, type TreeCursor } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { PartsAhead, type TreePlace } from './parts-ahead.js';

interface Part {
  readonly index: number;
  readonly next: TreeCursor | null;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A server of so many parts, which answers when it is told to. */
class Server {
  readonly asked: TreePlace[] = [];
  readonly #count: number;
  #answers: ((failure?: Error) => void)[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  readonly ask = (place: TreePlace): Promise<Part> => {
    const index = this.asked.push(place);
    const next = index < this.#count ? { path: `${index}`, offset: 0 } : null;
    return new Promise((resolve, reject) => {
      this.#answers.push((failure) => (failure === undefined ? resolve({ index, next }) : reject(failure)));
    });
  };

  async answer(failure?: Error): Promise<void> {
    this.#answers.shift()?.(failure);
    await settle();
  }
}

describe('parts of a tree', () => {
  it('are asked for while one is written, two at most', async () => {
    const server = new Server(5);
    const parts = new PartsAhead(server.ask);
    const first = parts.take();
    await server.answer();
    expect((await first)?.index).toBe(1);
    for (let count = 0; count < 5; count += 1) await server.answer();
    expect(server.asked.map(({ after }) => after?.path)).toEqual([undefined, '1', '2']);
    for (const index of [2, 3]) expect((await parts.take())?.index).toBe(index);
    await server.answer();
    await server.answer();
    for (const index of [4, 5]) expect((await parts.take())?.index).toBe(index);
    expect(await parts.take()).toBeUndefined();
    expect(server.asked).toHaveLength(5);
  });

  it('are longer when they have to be waited for, as long as a part can be', async () => {
    const server = new Server(20);
    const parts = new PartsAhead(server.ask);
    for (let count = 0; count < 20; count += 1) {
      const part = parts.take();
      await server.answer();
      await part;
    }
    const sizes = server.asked.map(({ enoughBytes }) => enoughBytes);
    expect(sizes.slice(0, 3)).toEqual([FIRST_TREE_BYTES, 2 * FIRST_TREE_BYTES, 4 * FIRST_TREE_BYTES]);
    expect(sizes.at(-1)).toBe(TREE_PAYLOAD_BYTES);
  });

  it('stay short when they are there before they are wanted', async () => {
    const server = new Server(10);
    const parts = new PartsAhead(server.ask);
    const first = parts.take();
    await server.answer();
    await first;
    for (let count = 0; count < 9; count += 1) {
      await server.answer();
      await parts.take();
      await settle();
    }
    const sizes = server.asked.map(({ enoughBytes }) => enoughBytes);
    expect(new Set(sizes)).toEqual(new Set([FIRST_TREE_BYTES, 2 * FIRST_TREE_BYTES]));
  });

  it('end with what made one of them fail, and no more are asked for', async () => {
    const server = new Server(5);
    const parts = new PartsAhead(server.ask);
    const first = parts.take();
    await server.answer();
    await first;
    await server.answer(new RangeError('no'));
    await expect(parts.take()).rejects.toThrow('no');
    expect(server.asked).toHaveLength(2);
  });
});
