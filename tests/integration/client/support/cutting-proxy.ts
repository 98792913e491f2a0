// Stands between client and server and breaks the connection: a TCP proxy for servers that listen, a wrapper that
// closes channels for those that do not.

import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import type { ConnectTarget } from '@codex/exec-client';
import type { Channel } from '@codex/exec-rpc';
import type { Target } from './targets.js';

export interface CuttingProxy {
  readonly address: ConnectTarget;
  readonly cuts: number;
  /** Breaks every connection. */
  cut(): void;
  /** Refuses new connections from here on, and breaks what there is. */
  refuse(): void;
  /** Lets bytes pass no longer, without closing anything. */
  stall(): void;
  close(): Promise<void>;
}

export async function cuttingProxy(target: Target): Promise<CuttingProxy> {
  return target.url === undefined ? channelCutter(target) : tcpCutter(target.url);
}

async function tcpCutter(url: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let cuts = 0;
  let refusing = false;
  const server = createServer((inner) => {
    if (refusing) {
      inner.destroy();
      return;
    }
    const outer = dial(Number(port), hostname);
    for (const socket of [inner, outer]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        inner.destroy();
        outer.destroy();
      });
    }
    inner.pipe(outer);
    outer.pipe(inner);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const cut = (): void => {
    if (sockets.size > 0) cuts++;
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    address: `ws://127.0.0.1:${address.port}`,
    get cuts() {
      return cuts;
    },
    cut,
    refuse: () => {
      refusing = true;
      cut();
    },
    stall: () => {
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

function channelCutter({ address }: Target): CuttingProxy {
  if (typeof address === 'string' || !('channel' in address) || typeof address.channel !== 'function') {
    throw new Error('not a target of channels');
  }
  const { channel: open } = address;
  const channels = new Set<Channel>();
  let cuts = 0;
  let refusing = false;
  const cut = (): void => {
    if (channels.size > 0) cuts++;
    for (const channel of channels) channel.close(1006, 'cut');
    channels.clear();
  };
  return {
    address: {
      channel: async () => {
        if (refusing) throw new Error('refused');
        const channel = await open();
        channels.add(channel);
        return channel;
      },
    },
    get cuts() {
      return cuts;
    },
    cut,
    refuse: () => {
      refusing = true;
      cut();
    },
    stall: () => {
      for (const channel of channels) channel.pause();
    },
    close: async () => cut(),
  };
}
