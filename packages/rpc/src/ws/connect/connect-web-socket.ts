// Opens a websocket to an exec-server and wraps it in a channel.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { MAX_MESSAGE_BYTES } from '@codex/exec-protocol';
import { type ClientOptions, WebSocket } from 'ws';
import type { KeepaliveOptions } from '../keepalive.js';
import { WebSocketChannel } from '../web-socket-channel.js';
import { ConnectError } from './connect-error.js';
import { refusedUpgrade } from './refused-upgrade.js';

export interface ConnectOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: string;
  readonly signal?: AbortSignal;
  /** For the whole of connecting. Default 10 seconds. */
  readonly timeoutMs?: number;
  readonly keepalive?: Partial<KeepaliveOptions>;
  /** Certificate authorities (PEM) to trust for `wss:` instead of the built-in ones. */
  readonly ca?: string;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2000;

const NO_SOCKET = "this runtime's websocket does not give its socket away; use a channel of your own";

/** Rejects with a ConnectError. */
export async function connectWebSocket(url: string, options: ConnectOptions = {}): Promise<WebSocketChannel> {
  const target = parseTarget(url);
  const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  if (signal?.aborted === true) throw aborted(target.shown, signal);
  const webSocket = new WebSocket(target.url, clientOptions(options));
  return new Promise((resolve, reject) => {
    let socket: Socket | null | undefined;
    const fail = (error: ConnectError): void => {
      release();
      reject(error);
      webSocket.terminate();
    };
    const timer = setTimeout(() => {
      const message = `${target.shown} did not answer within ${timeoutMs} ms`;
      fail(new ConnectError('CONNECT_TIMEOUT', message, { details: { timeoutMs } }));
    }, timeoutMs);
    const onAbort = (): void => {
      if (signal !== undefined) fail(aborted(target.shown, signal));
    };
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    // Stays for good: an error after a failure is already reported.
    webSocket.on('error', (cause) => fail(connectFailure(target.shown, cause)));
    webSocket.once('unexpected-response', (_request, response: IncomingMessage) => {
      void refusedUpgrade(target.shown, response).then(fail);
    });
    webSocket.once('upgrade', (response) => {
      socket = response.socket;
    });
    webSocket.once('open', () => {
      // Not every runtime's `ws` gives it away, and the channel writes to it.
      if (typeof socket?.setNoDelay !== 'function') {
        fail(new ConnectError('CONNECT_NO_SOCKET', NO_SOCKET));
        return;
      }
      release();
      const { keepalive = {} } = options;
      const label = `exec-server websocket ${target.shown}`;
      resolve(new WebSocketChannel({ webSocket, socket, label, side: 'client', keepalive }));
    });
  });
}

function clientOptions({ headers, token, ca }: ConnectOptions): ClientOptions {
  const options = {
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    skipUTF8Validation: true,
    autoPong: false,
    followRedirects: false,
    closeTimeout: CLOSE_TIMEOUT_MS,
    headers: { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    ...(ca === undefined ? {} : { ca }),
  };
  return options;
}

/** `shown` is the address without user, query and fragment, which may hold secrets. */
function parseTarget(url: string): { readonly url: URL; readonly shown: string } {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch (cause) {
    throw new ConnectError(
      'CONNECT_BAD_URL',
      'the exec-server address is not a URL; expected ws://HOST:PORT',
      { cause },
    );
  }
  if (parsed.protocol !== 'ws:' && parsed.protocol !== 'wss:') {
    const message = `the exec-server address has the scheme ${parsed.protocol}; expected ws: or wss:`;
    throw new ConnectError('CONNECT_BAD_URL', message);
  }
  parsed.hash = '';
  const path = parsed.pathname === '/' ? '' : parsed.pathname;
  return { url: parsed, shown: `${parsed.protocol}//${parsed.host}${path}` };
}

function aborted(target: string, signal: AbortSignal): ConnectError {
  return new ConnectError('CONNECT_ABORTED', `connecting to ${target} was aborted`, { cause: signal.reason });
}

function connectFailure(target: string, cause: Error): ConnectError {
  const errno = String(Reflect.get(cause, 'code') ?? '');
  if (errno === 'ECONNREFUSED') {
    return new ConnectError('CONNECT_REFUSED', `nothing listens on ${target}`, { cause, details: { errno } });
  }
  // What OpenSSL says of plain text is a line of its source with an address in it.
  if (errno === 'EPROTO' && /wrong version number|packet length too long/.test(cause.message)) {
    const message = `cannot connect to ${target}: it does not speak TLS; a server without it has a ws:// address`;
    return new ConnectError('CONNECT_FAILED', message, { cause, details: { errno } });
  }
  if (
    errno.startsWith('HPE_') ||
    errno.startsWith('WS_ERR_') ||
    /Sec-WebSocket|Upgrade header/i.test(cause.message)
  ) {
    const message = `${target} does not speak websocket: ${cause.message}`;
    return new ConnectError('CONNECT_NOT_A_WEBSOCKET', message, { cause, details: { errno } });
  }
  const why = cause.message === '' ? errno : cause.message;
  return new ConnectError('CONNECT_FAILED', `cannot connect to ${target}: ${why}`, {
    cause,
    details: { errno },
  });
}
