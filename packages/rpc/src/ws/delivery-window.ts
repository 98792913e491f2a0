// Knows what the remote end has read, and bounds what is on its way: taken by the kernel, and not known to have been read.
// The kernel's buffers hold tens of megabytes for a client that does not read; when its connection breaks they are lost,
// and what was sent can only be sent again while it is kept. A ping that carries the position goes out with every half
// megabyte (more often at first, and where the window is small) and when the keep-alive asks; its answer says that
// everything before it was read. Beyond the window the bytes count as buffered, so that output waits.
// What it does not bound: replies, and a client that does not answer pings, which is told from others after a while. An
// answer is that of the next websocket endpoint: a relay that ends the websocket answers for what it has read itself.

import { Buffer } from 'node:buffer';

const MAX_WINDOW_BYTES = 4 * 1024 * 1024;
/** A ping goes out with every eighth of the window. */
const PINGS_PER_WINDOW = 8;
/** Until the pace of a reader is known its answers are asked for sooner. */
const FIRST_PING_BYTES = 64 * 1024;
/** A client that has not answered any ping for this long answers none. */
const GIVE_UP_MS = 5000;
/** However fast a reader was before, it may become this slow without being taken for dead. */
const LEAST_PACE_BYTES_PER_MS = 256;
const MARK_BYTES = 8;

export interface DeliveryWindowOptions {
  ping(mark: Buffer): void;
  /** More may be sent than before. */
  opened(): void;
  /** Without bounds only the keep-alive asks, and nothing counts as beyond the window. */
  readonly isBounded?: boolean;
}

interface AskedMark {
  readonly position: number;
  readonly at: number;
}

export class DeliveryWindow {
  readonly #options: DeliveryWindowOptions;
  #sentBytes = 0;
  #askedBytes = 0;
  #readBytes = 0;
  #spacingBytes = FIRST_PING_BYTES;
  /** Pings without an answer, the oldest first. */
  #asked: AskedMark[] = [];
  #lastAnswerAt = Number.NEGATIVE_INFINITY;
  #paceBytesPerMs = LEAST_PACE_BYTES_PER_MS;
  #hasAnswered = false;
  #patience: NodeJS.Timeout | undefined;
  #isBounded: boolean;
  #windowBytes = MAX_WINDOW_BYTES;

  constructor(options: DeliveryWindowOptions) {
    this.#options = options;
    this.#isBounded = options.isBounded ?? true;
  }

  /** All bytes that were handed to the socket. */
  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** How many of them the remote end has read; undefined when it does not tell. */
  get readBytes(): number | undefined {
    return this.#isBounded || this.#hasAnswered ? this.#readBytes : undefined;
  }

  /**
   * Since when the remote end, which has answered before, owes its next answer: since it was asked, or since its last
   * answer. Several pings are on the way at once, and a slow reader comes to them one after the other.
   */
  get owesAnswerSince(): number | undefined {
    const next = this.#asked[0];
    if (!this.#hasAnswered || next === undefined) return undefined;
    return Math.max(next.at, this.#lastAnswerAt);
  }

  /** How long a living reader may need, by the pace seen so far, until it comes to the next ping. */
  get expectedAnswerMs(): number {
    const next = this.#asked[0];
    if (next === undefined) return 0;
    return (next.position - this.#readBytes) / Math.min(this.#paceBytesPerMs, LEAST_PACE_BYTES_PER_MS);
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
    if (!this.#isBounded) return;
    const spacing = Math.min(this.#spacingBytes, this.#windowBytes / PINGS_PER_WINDOW);
    if (this.#sentBytes - this.#askedBytes < spacing) return;
    this.#spacingBytes = Math.min(this.#spacingBytes * 2, MAX_WINDOW_BYTES / PINGS_PER_WINDOW);
    this.ask();
    if (!this.#hasAnswered) this.#patience ??= setTimeout(() => this.#giveUp(), GIVE_UP_MS).unref();
  }

  /** Asks how far the remote end has read, and so whether it is there. */
  ask(): void {
    this.#askedBytes = this.#sentBytes;
    const mark = Buffer.alloc(MARK_BYTES);
    mark.writeDoubleBE(this.#sentBytes);
    // One that never answers is not remembered for ever.
    if (this.#asked.at(-1)?.position !== this.#sentBytes && this.#asked.length < 2 * PINGS_PER_WINDOW)
      this.#asked.push({ position: this.#sentBytes, at: performance.now() });
    this.#options.ping(mark);
  }

  /** The remote end has answered a ping; one of ours carries a mark. */
  pong(mark: Buffer): void {
    if (mark.length !== MARK_BYTES) return;
    const read = mark.readDoubleBE();
    // A client may answer anything.
    if (!(read >= this.#readBytes && read <= this.#askedBytes)) return;
    this.#hasAnswered = true;
    if (this.#options.isBounded !== false) this.#isBounded = true;
    this.#measure(read);
    this.end();
    if (read === this.#readBytes) return;
    this.#readBytes = read;
    this.#options.opened();
  }

  end(): void {
    clearTimeout(this.#patience);
  }

  #measure(read: number): void {
    const now = performance.now();
    const answered = this.#asked.filter(({ position }) => position <= read);
    this.#asked.splice(0, answered.length);
    const bytes = read - this.#readBytes;
    const tookMs = now - Math.max(answered.at(-1)?.at ?? now, this.#lastAnswerAt);
    // Few bytes measure the way and not the reader.
    if (bytes >= FIRST_PING_BYTES && tookMs > 0) this.#paceBytesPerMs = bytes / tookMs;
    this.#lastAnswerAt = now;
  }

  #giveUp(): void {
    this.#isBounded = false;
    this.#asked = [];
    this.#options.opened();
  }
}
