// Bounds what is on its way to a client: taken by the kernel, and not known to have been read. The kernel's buffers hold
// tens of megabytes for a client that does not read; when its connection breaks they are lost, and what was sent can only
// be sent again while it is kept. A ping goes out with every half megabyte, or more often where the window is small, and
// its answer says that everything before it was read. Beyond the window the bytes count as buffered, so that output waits.
// What it does not bound: replies, and a client that does not answer pings, which is told from others after a while.

import { Buffer } from 'node:buffer';

const MAX_WINDOW_BYTES = 4 * 1024 * 1024;
/** A ping goes out with every eighth of the window. */
const PINGS_PER_WINDOW = 8;
/** A client that has not answered any ping for this long answers none. */
const GIVE_UP_MS = 5000;
const MARK_BYTES = 8;

export interface DeliveryWindowOptions {
  ping(mark: Buffer): void;
  /** More may be sent than before. */
  opened(): void;
}

export class DeliveryWindow {
  readonly #options: DeliveryWindowOptions;
  #sentBytes = 0;
  #pingedBytes = 0;
  #readBytes = 0;
  #patience: NodeJS.Timeout | undefined;
  #isBounded = true;
  #windowBytes = MAX_WINDOW_BYTES;

  constructor(options: DeliveryWindowOptions) {
    this.#options = options;
  }

  /** For a sender that keeps little: a smaller window. */
  narrow(bytes: number): void {
    this.#windowBytes = Math.min(bytes, MAX_WINDOW_BYTES);
  }

  /** How many of the bytes sent, except for those that still wait in this process, are beyond the window. */
  excessBytes(waitingBytes: number): number {
    if (!this.#isBounded) return 0;
    return Math.max(0, this.#sentBytes - waitingBytes - this.#readBytes - this.#windowBytes);
  }

  sent(bytes: number): void {
    this.#sentBytes += bytes;
    if (!this.#isBounded || this.#sentBytes - this.#pingedBytes < this.#windowBytes / PINGS_PER_WINDOW)
      return;
    this.#pingedBytes = this.#sentBytes;
    const mark = Buffer.alloc(MARK_BYTES);
    mark.writeDoubleBE(this.#sentBytes);
    this.#options.ping(mark);
    if (this.#readBytes === 0) this.#patience ??= setTimeout(() => this.#giveUp(), GIVE_UP_MS).unref();
  }

  /** The client has answered a ping; one of ours carries a mark. */
  pong(mark: Buffer): void {
    if (mark.length !== MARK_BYTES) return;
    const read = mark.readDoubleBE();
    // A client may answer anything.
    if (!(read > this.#readBytes && read <= this.#pingedBytes)) return;
    this.#readBytes = read;
    this.end();
    this.#options.opened();
  }

  end(): void {
    clearTimeout(this.#patience);
  }

  #giveUp(): void {
    this.#isBounded = false;
    this.#options.opened();
  }
}
