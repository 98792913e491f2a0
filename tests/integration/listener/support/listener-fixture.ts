// A listener whose connections are peers, and raw clients to poke it with. Everything ends with the test.

import { connect, type Socket } from 'node:net';
import { type ListenerOptions, type PeerDescription, WebSocketListener } from '@codex/exec-listener';
import type { Channel } from '@codex/exec-rpc';
import { RpcPeer, type RpcPeerOptions } from '@codex/exec-rpc';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

export interface RunningListener {
  readonly listener: WebSocketListener;
  readonly url: string;
  readonly port: number;
  readonly peers: RpcPeer[];
  readonly channels: Channel[];
  readonly descriptions: PeerDescription[];
}

/** Answers `echo` with its params by default. */
export async function startListener(
  options: Partial<ListenerOptions> = {},
  peerOptions: Partial<RpcPeerOptions> = {},
): Promise<RunningListener> {
  const peers: RpcPeer[] = [];
  const channels: Channel[] = [];
  const descriptions: PeerDescription[] = [];
  const listener = await WebSocketListener.listen({
    host: '127.0.0.1',
    port: 0,
    onChannel: (channel, description) => {
      channels.push(channel);
      descriptions.push(description);
      peers.push(
        new RpcPeer(channel, { onRequest: ({ params }) => params, onNotification: () => {}, ...peerOptions }),
      );
    },
    ...options,
  });
  onTestFinished(() => listener.close(100));
  const { url } = listener;
  return { listener, url, port: Number(new URL(url).port), peers, channels, descriptions };
}

/** A plain `ws` client, which shares no code with the channel under test beyond that library. */
export async function plainClient(
  url: string,
  options: ConstructorParameters<typeof WebSocket>[2] = {},
): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
  onTestFinished(() => socket.terminate());
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return socket;
}

export function nextMessage(socket: WebSocket): Promise<string> {
  return new Promise((resolve, reject) => {
    const onClose = (code: number): void => reject(new Error(`closed with ${code}`));
    socket.once('message', (data) => {
      socket.off('close', onClose);
      resolve(String(data));
    });
    socket.once('close', onClose);
  });
}

export function closeCode(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.once('close', (code) => resolve(code));
  });
}

export async function rawSocket(port: number, host = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return socket;
}

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

export interface HttpReply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** One request with exactly these header lines; `upgrade` adds those of a websocket handshake. */
export async function httpExchange(
  port: number,
  request: { line?: string; headers?: readonly string[]; upgrade?: boolean; host?: string | null },
): Promise<HttpReply> {
  const socket = await rawSocket(port);
  const host = request.host === undefined ? `127.0.0.1:${port}` : request.host;
  const lines = [
    request.line ?? 'GET / HTTP/1.1',
    ...(host === null ? [] : [`Host: ${host}`]),
    ...(request.upgrade === true ? UPGRADE : []),
    ...(request.headers ?? []),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return new Promise((resolve) => {
    let text = '';
    const finish = (): void => {
      const [head = '', body = ''] = text.split('\r\n\r\n', 2);
      resolve({ status: Number(head.split(' ')[1] ?? 0), head, body });
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (text.startsWith('HTTP/1.1 101')) finish();
    });
    socket.once('close', finish);
  });
}
