// Bounds what this connection has handed to the client library, which takes everything and never says no. A ping goes to
// the broker with every megabyte; its answer says that the broker has taken what came before. Beyond the mark the
// channels wait and then take turns.

const MIB = 1024 * 1024;
const MARK_BYTES = 16 * MIB;
const PING_EVERY_BYTES = MIB;

export interface Waiter {
  pump(): void;
}

export class PublishGate {
  readonly #flush: () => Promise<void>;
  readonly #waiting = new Set<Waiter>();
  #publishedBytes = 0;
  #askedBytes = 0;
  #takenBytes = 0;

  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  get pendingBytes(): number {
    return this.#publishedBytes - this.#takenBytes;
  }

  published(bytes: number): void {
    this.#publishedBytes += bytes;
    if (this.#publishedBytes - this.#askedBytes >= PING_EVERY_BYTES) this.#ask();
  }

  mustWait(waiter: Waiter): boolean {
    if (this.pendingBytes < MARK_BYTES) return false;
    this.#waiting.add(waiter);
    return true;
  }

  forget(waiter: Waiter): void {
    this.#waiting.delete(waiter);
  }

  /** The connection was replaced: what was pending is gone. */
  reset(): void {
    this.#takenBytes = this.#publishedBytes;
    this.#askedBytes = this.#publishedBytes;
  }

  #ask(): void {
    const position = this.#publishedBytes;
    this.#askedBytes = position;
    this.#flush().then(
      () => this.#taken(position),
      // The end of the connection is told to the channels by the link.
      () => undefined,
    );
  }

  #taken(position: number): void {
    this.#takenBytes = Math.max(this.#takenBytes, position);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const waiter of waiting) waiter.pump();
  }
}
