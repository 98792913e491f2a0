// A way to the broker that can fail without a sign, as networks do: what is under way vanishes and nobody is told.

import { createConnection, createServer, type Server, type Socket } from 'node:net';

type Direction = 'toBroker' | 'fromBroker';

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  readonly swallowed: Set<Direction>;
}

export class Blackhole {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #refuses = false;

  static async before(port: number): Promise<Blackhole> {
    const hole = new Blackhole(port);
    await new Promise<void>((resolve) => hole.#server.listen(0, '127.0.0.1', resolve));
    return hole;
  }

  private constructor(port: number) {
    this.#server = createServer((near) => {
      const far = createConnection(port, '127.0.0.1');
      const pair: Pair = { near, far, swallowed: new Set(this.#refuses ? DIRECTIONS : []) };
      this.#pairs.add(pair);
      near.on('data', (bytes) => void (pair.swallowed.has('toBroker') || far.write(bytes)));
      far.on('data', (bytes) => void (pair.swallowed.has('fromBroker') || near.write(bytes)));
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        socket.on('error', () => undefined);
        socket.on('close', () => {
          // A network that swallows everything swallows the end of a connection too.
          if (pair.swallowed.size > 0) return;
          this.#pairs.delete(pair);
          other.destroy();
        });
      }
    });
  }

  get url(): string {
    const address = this.#server.address();
    return `nats://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  /** Connections that exist carry nothing any more in these directions; new ones do, unless all are cut off. */
  swallow(directions: readonly Direction[] = DIRECTIONS, { newOnesToo = false } = {}): void {
    this.#refuses = newOnesToo;
    for (const { swallowed } of this.#pairs) for (const direction of directions) swallowed.add(direction);
  }

  /** New connections work again; what was swallowed stays so. */
  heal(): void {
    this.#refuses = false;
  }

  async close(): Promise<void> {
    for (const { near, far } of this.#pairs) {
      near.destroy();
      far.destroy();
    }
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const DIRECTIONS = ['toBroker', 'fromBroker'] as const;
