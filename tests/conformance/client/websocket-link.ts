// A plain websocket: no compression offered, nothing answered on our behalf except pings.
import { WebSocket } from 'ws';
import type { Link, LinkReceiver } from './link.js';

const MAX_FRAME_BYTES = 256 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 15_000;

export interface WebSocketOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
  /** false: pings of the server stay unanswered, as from a peer that hangs. */
  readonly answersPings?: boolean;
}

export interface OpenedWebSocket extends Link {
  readonly socket: WebSocket;
}

export function openWebSocket(url: string, options: WebSocketOptions = {}): Promise<OpenedWebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, [...(options.protocols ?? [])], {
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      handshakeTimeout: CONNECT_TIMEOUT_MS,
      headers: options.headers ?? {},
      autoPong: options.answersPings ?? true,
    });
    const failed = (error: Error) => reject(new Error(`cannot connect to ${url}: ${error.message}`));
    socket.once('error', failed);
    socket.once('open', () => {
      socket.off('error', failed);
      // An error is always followed by `close`, which is what the receiver hears about.
      socket.on('error', () => {});
      resolve(asLink(socket));
    });
  });
}

function asLink(socket: WebSocket): OpenedWebSocket {
  socket.pause();
  return {
    socket,
    start(receiver: LinkReceiver) {
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary) receiver.binary(data);
        else receiver.text(data.toString('utf8'));
      });
      socket.on('close', (code, reason) => receiver.ended({ code, reason: reason.toString('utf8') }));
      socket.resume();
    },
    send: (frame) => socket.send(frame),
    close: () => socket.close(),
    drop: () => socket.terminate(),
  };
}
