// JSON-RPC over the page's own websocket, as much of it as an observer needs: calls, notifications, and one end.

import { TICKET_PROTOCOL_PREFIX, WEB_SOCKET_PROTOCOL } from '@codex/exec-protocol';
import { parseIncoming } from './incoming.js';

/** The server refused a call, or the connection is gone. */
export class CallError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'CallError';
    this.code = code;
  }

  /** Nobody has answered. */
  get isGone(): boolean {
    return this.code === GONE;
  }
}

const GONE = -1;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: CallError) => void;
}

export class RpcSocket {
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  /** Set before the first message can come, in the turn in which the socket opened. */
  onNotification: (method: string, params: unknown) => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => this.#receive(data));
    this.closed = new Promise((resolve) => {
      socket.addEventListener('close', () => {
        for (const { reject } of this.#waiting.values())
          reject(new CallError(GONE, 'the connection to the server is gone'));
        this.#waiting.clear();
        resolve();
      });
    });
  }

  /** Rejects without a reason when it does not open: browsers do not tell why. */
  static open(url: string, ticket: string): Promise<RpcSocket> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, [WEB_SOCKET_PROTOCOL, TICKET_PROTOCOL_PREFIX + ticket]);
      socket.addEventListener('open', () => resolve(new RpcSocket(socket)));
      socket.addEventListener('close', () => reject(new CallError(GONE, 'the connection was refused')));
    });
  }

  call(method: string, params?: unknown): Promise<unknown> {
    if (this.#socket.readyState !== WebSocket.OPEN)
      return Promise.reject(new CallError(GONE, 'the connection to the server is gone'));
    const id = this.#nextId++;
    this.#socket.send(JSON.stringify({ id, method, ...(params === undefined ? {} : { params }) }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  notify(method: string, params: unknown): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ method, params }));
  }

  close(): void {
    this.#socket.close();
  }

  #receive(data: string | ArrayBuffer): void {
    const message = parseIncoming(data);
    if (message.method !== undefined) {
      this.onNotification(message.method, message.params);
      return;
    }
    const waiting = this.#waiting.get(message.id ?? 0);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id ?? 0);
    if (message.error === undefined) waiting.resolve(message.result);
    else waiting.reject(new CallError(message.error.code, message.error.message));
  }
}
