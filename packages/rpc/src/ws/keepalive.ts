// Asks the remote end for a sign of life and ends a connection whose end has shown none for too long: a cable that was
// pulled, a router that forgot the connection, in both directions or in one. With the defaults that takes 15 s at most.
// A sign that it can be heard is a received byte, or a full send buffer that moves; a sign that it hears is its answer
// to a ping, or again the buffer. What is on its way before a ping is read first: a reader may take its own pace for
// that. It cannot tell a stopped program from a dead one. Ending the connection does not end what belongs to it: a
// client that comes back resumes its session.

export interface KeepaliveOptions {
  /** Time between looks at the connection, with a ping where one is needed; 0 switches pings and the deadline off. */
  readonly pingIntervalMs: number;
  /** How long the remote end may owe a sign of life, besides what it needs to read what was sent before. */
  readonly pongTimeoutMs: number;
}

export const DEFAULT_KEEPALIVE: KeepaliveOptions = Object.freeze({
  pingIntervalMs: 5000,
  pongTimeoutMs: 8000,
});

/** A reader that needs more than so many timeouts for what is before the next ping counts as dead. */
const MOST_READING_TIMEOUTS = 6;
/** A remote end that sends as much as this may be too busy to read. */
const BUSY_BYTES = 64 * 1024;

export interface KeepaliveTarget {
  ask(): void;
  dead(): void;
  readonly paused: boolean;
  readonly receivedBytes: number;
  /** Bytes the operating system has taken, and bytes it has not. */
  readonly takenBytes: number;
  readonly backlogBytes: number;
  /** Something was sent that the remote end is not known to have read. */
  readonly hasUnread: boolean;
  /** Since when an answer is owed by a remote end that has answered before. */
  readonly owesAnswerSince: number | undefined;
  readonly expectedAnswerMs: number;
}

export class Keepalive {
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  readonly #target: KeepaliveTarget;
  readonly #options: KeepaliveOptions;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #patience = 1;
  #received = -1;
  #taken = 0;
  #wasBacklogged = false;
  /** Nothing before this moment is held against the remote end: it was heard, or we did not listen ourselves. */
  #heardAt = performance.now();
  /** The same for whether it hears us. */
  #hearsAt = performance.now();
  #receivedWhenOwed = 0;
  #lookedAt = performance.now();

  constructor(target: KeepaliveTarget, options: KeepaliveOptions) {
    this.#target = target;
    this.#options = options;
    this.#observe();
    if (options.pingIntervalMs <= 0) return;
    this.#timer = setInterval(() => this.#tick(), options.pingIntervalMs);
    this.#timer.unref();
  }

  /** For a remote end that cannot come back, so that the end of its connection ends everything: a longer time. */
  tolerate(factor: number): void {
    this.#patience = factor;
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#deadline);
  }

  #tick(): void {
    const target = this.#target;
    const wasHeard = this.#observe();
    if (this.#judge()) return;
    // A remote end that was heard and has read everything need not be asked.
    if (!wasHeard || target.hasUnread) target.ask();
    const left = this.#leftMs();
    if (left >= this.#options.pingIntervalMs) return;
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => {
      this.#observe();
      this.#judge();
    }, left);
    this.#deadline.unref();
  }

  #judge(): boolean {
    if (this.#leftMs() > 0) return false;
    this.stop();
    this.#target.dead();
    return true;
  }

  #leftMs(): number {
    const { owesAnswerSince, expectedAnswerMs, receivedBytes } = this.#target;
    const { pongTimeoutMs } = this.#options;
    const readingMs = Math.min(expectedAnswerMs, MOST_READING_TIMEOUTS * pongTimeoutMs);
    const allowed = (pongTimeoutMs + readingMs) * this.#patience;
    const silentSince = this.#heardAt;
    const isBusy = receivedBytes - this.#receivedWhenOwed > BUSY_BYTES;
    const deafSince =
      owesAnswerSince === undefined || isBusy
        ? Number.POSITIVE_INFINITY
        : Math.max(owesAnswerSince, this.#hearsAt);
    return Math.min(silentSince, deafSince) + allowed - performance.now();
  }

  #observe(): boolean {
    const { paused, receivedBytes, takenBytes, backlogBytes, owesAnswerSince } = this.#target;
    const now = performance.now();
    // When this program itself was stopped, what arrived meanwhile is not read yet.
    const wasStopped = now - this.#lookedAt > 2 * this.#options.pingIntervalMs;
    // While we do not read and wait for nothing to be taken, silence is our own doing.
    const isOurDoing = wasStopped || (paused && backlogBytes === 0);
    // Bytes that go into a send buffer with room prove nothing; a full one that moves proves an acknowledgement.
    const moved = this.#wasBacklogged && takenBytes !== this.#taken;
    const wasHeard = receivedBytes !== this.#received;
    if (wasHeard || moved || isOurDoing) this.#heardAt = now;
    if (moved || isOurDoing) this.#hearsAt = now;
    if (owesAnswerSince === undefined || isOurDoing) this.#receivedWhenOwed = receivedBytes;
    this.#received = receivedBytes;
    this.#taken = takenBytes;
    this.#wasBacklogged = backlogBytes > 0;
    this.#lookedAt = now;
    return wasHeard;
  }
}
