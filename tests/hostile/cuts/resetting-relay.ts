// A network that breaks: after a random number of bytes in either direction the connection is reset, or goes on
// existing and carries nothing.
import { createServer, connect as dial, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Random } from '../support/seeded-random.js';

export interface ResettingRelay {
  readonly url: string;
  readonly cuts: { resets: number; silences: number };
  /** Connections break from here on; a first one is opened in peace. */
  storm(): void;
  /** From here on nothing breaks. */
  calm(): void;
}

export async function resettingRelay(
  target: string,
  random: Random,
  silentMs: number,
): Promise<ResettingRelay> {
  const { hostname, port } = new URL(target);
  const cuts = { resets: 0, silences: 0 };
  let isCalm = true;
  const sockets = new Set<Socket>();

  const breakUp = (near: Socket, far: Socket): void => {
    if (near.destroyed) return;
    if (random.chance(0.8)) {
      cuts.resets++;
      near.resetAndDestroy();
      far.resetAndDestroy();
      return;
    }
    cuts.silences++;
    for (const socket of [near, far]) {
      socket.removeAllListeners('data');
      socket.resume();
    }
    setTimeout(() => {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }, silentMs);
  };

  const server = createServer((near) => {
    const far = dial(Number(port), hostname);
    let left = random.chance(0.3) ? random.below(2000) : random.below(3_000_000);
    const pass = (from: Socket, to: Socket): void => {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('drain', () => to.resume());
      from.on('data', (block: Buffer) => {
        left -= block.length;
        if (!isCalm && left < 0) breakUp(near, far);
        else if (!to.write(block)) from.pause();
      });
    };
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  return {
    url: `ws://127.0.0.1:${address.port}`,
    cuts,
    storm: () => {
      isCalm = false;
    },
    calm: () => {
      isCalm = true;
    },
  };
}
