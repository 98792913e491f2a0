// Stands between client and server and lets a connection die without a word: from a moment on, everything in one
// direction or in both is swallowed, the end of the connection included. New connections work.
import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type Direction = 'to the client' | 'to the server' | 'both ways';

export interface SwallowingProxy {
  readonly url: string;
  /** Connections that are open and not swallowed yet. */
  readonly healthy: number;
  swallow(direction: Direction): void;
}

interface Way {
  readonly from: Socket;
  readonly to: Socket;
  isSwallowed: boolean;
}

interface Pair {
  readonly toServer: Way;
  readonly toClient: Way;
}

export async function swallowingProxy(target: string): Promise<SwallowingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const healthy = new Set<Pair>();
  const server = createServer((inner) => {
    const outer = dial(Number(port), hostname);
    const pair: Pair = {
      toServer: { from: inner, to: outer, isSwallowed: false },
      toClient: { from: outer, to: inner, isSwallowed: false },
    };
    healthy.add(pair);
    for (const way of [pair.toServer, pair.toClient]) {
      sockets.add(way.from);
      way.from.setNoDelay(true);
      pass(way, () => healthy.delete(pair));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `ws://127.0.0.1:${address.port}`,
    get healthy() {
      return healthy.size;
    },
    swallow(direction) {
      for (const pair of healthy) {
        if (direction !== 'to the client') pair.toServer.isSwallowed = true;
        if (direction !== 'to the server') pair.toClient.isSwallowed = true;
      }
      healthy.clear();
    },
  };
}

function pass(way: Way, ended: () => void): void {
  const { from, to } = way;
  from.on('data', (data) => {
    if (way.isSwallowed || to.write(data)) return;
    from.pause();
    to.once('drain', () => from.resume());
  });
  from.on('error', () => undefined);
  from.on('close', () => {
    ended();
    if (!way.isSwallowed) to.destroy();
  });
}
