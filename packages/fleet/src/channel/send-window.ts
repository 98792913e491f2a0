// What the remote end lets this end send, and what it has read of it.

export class SendWindow {
  #sentBytes = 0;
  #grantedBytes: number;
  #readBytes = 0;
  #boundBytes = Number.POSITIVE_INFINITY;
  #stalledSince: number | undefined;

  constructor(grantedBytes: number) {
    this.#grantedBytes = grantedBytes;
  }

  get sentBytes(): number {
    return this.#sentBytes;
  }

  get readBytes(): number {
    return this.#readBytes;
  }

  get roomBytes(): number {
    return Math.max(0, this.#grantedBytes - this.#sentBytes);
  }

  /** Sent, unread, and more than the sender wants to be on the way. */
  get excessBytes(): number {
    return Math.max(0, this.#sentBytes - this.#readBytes - this.#boundBytes);
  }

  get hasUnread(): boolean {
    return this.#readBytes < this.#sentBytes;
  }

  bound(bytes: number): void {
    this.#boundBytes = bytes;
  }

  sent(bytes: number): void {
    this.#sentBytes += bytes;
  }

  /** A remote end that grants nothing holds up what is to be sent to it: for how long it did, when that is over. */
  stallEnded(hasMore: boolean, now: number): number {
    if (hasMore && this.roomBytes === 0) {
      this.#stalledSince ??= now;
      return 0;
    }
    const stalledMs = this.#stalledSince === undefined ? 0 : now - this.#stalledSince;
    this.#stalledSince = undefined;
    return stalledMs;
  }

  /** What a frame tells. True when more may be sent, or more is known to be read. False counts are left alone. */
  told(read: number, granted: number): boolean {
    const isNews = read > this.#readBytes || granted > this.#grantedBytes;
    if (read <= this.#sentBytes) this.#readBytes = Math.max(this.#readBytes, read);
    this.#grantedBytes = Math.max(this.#grantedBytes, granted);
    return isNews;
  }
}
