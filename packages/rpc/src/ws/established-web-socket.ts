// What a channel needs of a websocket of `ws`, under a type of its own: the types of `ws` are a package besides it, which everybody
// who compiles against this one would have to install.

import type { Buffer } from 'node:buffer';

export interface EstablishedWebSocket {
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'ping' | 'pong', listener: (data: Buffer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: (code: number, reason: Buffer) => void): unknown;
  ping(data?: Buffer): void;
  pong(data: Buffer): void;
  pause(): void;
  resume(): void;
  /** `ws` calls it itself to answer a close frame, with the reason as bytes. */
  close(code?: number, reason?: string | Buffer): void;
  terminate(): void;
}
