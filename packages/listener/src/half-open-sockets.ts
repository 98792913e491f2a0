// Bounds the sockets that are connected and have not become a websocket: in number (the oldest is closed first) and
// in age.

import type { Socket } from 'node:net';

export interface HalfOpenLimits {
  readonly maxHalfOpen: number;
  readonly handshakeTimeoutMs: number;
}

interface HalfOpen {
  readonly socket: Socket;
  readonly since: number;
}

export class HalfOpenSockets {
  readonly #limits: HalfOpenLimits;
  // In order of arrival.
  readonly #sockets = new Map<string, HalfOpen>();
  readonly #sweep: ReturnType<typeof setInterval>;

  constructor(limits: HalfOpenLimits) {
    this.#limits = limits;
    this.#sweep = setInterval(
      () => this.#dropOld(),
      Math.max(50, Math.min(1000, limits.handshakeTimeoutMs / 4)),
    );
    this.#sweep.unref();
  }

  get size(): number {
    return this.#sockets.size;
  }

  add(socket: Socket): void {
    const key = socketKey(socket);
    this.#sockets.set(key, { socket, since: performance.now() });
    socket.once('close', () => {
      if (this.#sockets.get(key)?.socket === socket) this.#sockets.delete(key);
    });
    if (this.#sockets.size > this.#limits.maxHalfOpen) this.#drop(this.#sockets.keys().next().value ?? key);
  }

  /** The socket became a websocket. Found by its address, because TLS wraps the socket in another. */
  promote(socket: Socket): void {
    this.#sockets.delete(socketKey(socket));
  }

  close(): void {
    clearInterval(this.#sweep);
    for (const key of [...this.#sockets.keys()]) this.#drop(key);
  }

  #dropOld(): void {
    const oldest = performance.now() - this.#limits.handshakeTimeoutMs;
    for (const [key, { since }] of this.#sockets) {
      if (since > oldest) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    const entry = this.#sockets.get(key);
    this.#sockets.delete(key);
    entry?.socket.destroy();
  }
}

function socketKey(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}
