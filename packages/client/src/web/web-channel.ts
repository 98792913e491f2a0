// A channel over the runtime's own websocket. It cannot be paused and has no pings, so a server that vanished is not
// noticed by itself.

import {
  hasPayload,
  materialize,
  materializeBinary,
  offeredProtocols,
  type WireMessage,
} from '@codex/exec-protocol';
import type { BinaryForm, Channel, ChannelReceiver } from '@codex/exec-rpc';
import { ExecServerError } from '../exec-server-error.js';

/** The part of the standard's WebSocket that is used here. */
interface WebSocketLike {
  readonly bufferedAmount: number;
  binaryType: string;
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: WebSocketEvent) => void): void;
}

interface WebSocketEvent {
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly wasClean?: boolean;
}

/** Bun takes headers in place of protocols; browsers and others do not. */
type SecondArgument = readonly string[] | { readonly headers: Readonly<Record<string, string>> };
type WebSocketClass = new (url: string, second?: SecondArgument) => WebSocketLike;

export interface WebConnection {
  readonly signal: AbortSignal;
  readonly second?: SecondArgument;
}

/** A token travels as a protocol, because a browser sends no header of its own. Without one no protocol is offered. */
export function tokenProtocols(token: string | undefined): Pick<WebConnection, 'second'> {
  return token === undefined ? {} : { second: offeredProtocols(token) };
}

export function openWebChannel(url: string, { signal, second }: WebConnection): Promise<Channel> {
  const WebSocket = Reflect.get(globalThis, 'WebSocket') as WebSocketClass | undefined;
  const target = new URL(url).host;
  if (WebSocket === undefined) throw connectFailure(target, 'this runtime has no WebSocket');
  const socket = second === undefined ? new WebSocket(url) : new WebSocket(url, second);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      socket.close();
      reject(connectFailure(target, 'aborted'));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.addEventListener('open', () => {
      signal.removeEventListener('abort', onAbort);
      resolve(new WebChannel(socket, `exec-server websocket ${target}`));
    });
    // The one of Node 22 tells a failed connection by an error alone.
    for (const type of ['error', 'close']) {
      socket.addEventListener(type, () => reject(connectFailure(target, 'the connection was refused')));
    }
  });
}

function connectFailure(target: string, why: string): ExecServerError<'transport.connect'> {
  return new ExecServerError('transport.connect', `cannot connect to ${target}: ${why}`, {
    details: { target, attempts: 1 },
    retryable: true,
    hint: 'Browsers do not say why: the server may not run, refuse this origin, or not accept the token. Its log tells.',
  });
}

/** Text, or a binary message. */
type Received = string | Uint8Array;

function deliver(receiver: ChannelReceiver, message: Received): void {
  if (typeof message === 'string') receiver.message(message);
  else receiver.binaryMessage?.(message, () => {});
}

class WebChannel implements Channel {
  readonly label: string;
  readonly transport = 'websocket';
  readonly noticesDeath = false;
  readonly binary: BinaryForm = {
    // A server sends them only where that was agreed on.
    accept: () => {},
    send: () => {
      this.#sendsBinary = true;
    },
  };
  readonly #socket: WebSocketLike;
  #sendsBinary = false;
  #early: Received[] | undefined = [];
  #receiver: ChannelReceiver | undefined;
  #isPaused = false;
  #held: Received[] = [];
  #hasEnded = false;

  constructor(socket: WebSocketLike, label: string) {
    this.label = label;
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }) => {
      this.#message(data instanceof ArrayBuffer ? new Uint8Array(data) : String(data));
    });
    socket.addEventListener('close', ({ code, reason = '', wasClean = false }) => {
      this.#end({ ...(code === undefined ? {} : { code }), reason, clean: wasClean });
    });
  }

  get canSend(): boolean {
    return !this.#hasEnded;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  start(receiver: ChannelReceiver): void {
    this.#receiver = receiver;
    const early = this.#early ?? [];
    this.#early = undefined;
    queueMicrotask(() => {
      for (const message of early) deliver(receiver, message);
    });
  }

  send(message: WireMessage): void {
    if (this.#hasEnded) return;
    this.#socket.send(
      this.#sendsBinary && hasPayload(message) ? materializeBinary(message) : materialize(message),
    );
    setTimeout(() => this.#receiver?.drained(), 0);
  }

  // The web has no back-pressure for websockets: what arrives while paused is held here.
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const message of this.#held.splice(0)) this.#message(message);
  }

  probe(): Promise<boolean> {
    return Promise.resolve(!this.#hasEnded);
  }

  close(code = 1000, reason = ''): void {
    this.#socket.close(code, reason);
    this.#end({ code, reason, clean: true });
  }

  #message(message: Received): void {
    if (this.#hasEnded) return;
    if (this.#early !== undefined) this.#early.push(message);
    else if (this.#isPaused) this.#held.push(message);
    else if (this.#receiver !== undefined) deliver(this.#receiver, message);
  }

  #end(info: { code?: number; reason: string; clean: boolean }): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    queueMicrotask(() => this.#receiver?.closed(info));
  }
}
