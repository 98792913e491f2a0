// Pings at an interval and ends a connection whose remote end has shown no sign of life for too long.
// A sign is a received byte, or a full send buffer that moves. It cannot tell a stopped program from a dead one.

export interface KeepaliveOptions {
  /** 0 switches pings and the deadline off. */
  readonly pingIntervalMs: number;
  /** Silence after which the remote end counts as dead; judged at each ping. */
  readonly pongTimeoutMs: number;
}

export const DEFAULT_KEEPALIVE: KeepaliveOptions = Object.freeze({
  pingIntervalMs: 30_000,
  pongTimeoutMs: 60_000,
});

export interface KeepaliveTarget {
  ping(): void;
  dead(): void;
  readonly paused: boolean;
  readonly receivedBytes: number;
  /** Bytes the operating system has taken, and bytes it has not. */
  readonly takenBytes: number;
  readonly backlogBytes: number;
}

export class Keepalive {
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  readonly #target: KeepaliveTarget;
  readonly #pongTimeoutMs: number;
  #received = -1;
  #taken = 0;
  #wasBacklogged = false;
  #lastLifeAt = performance.now();

  constructor(target: KeepaliveTarget, options: KeepaliveOptions) {
    this.#target = target;
    this.#pongTimeoutMs = options.pongTimeoutMs;
    this.#sawLife();
    if (options.pingIntervalMs <= 0) return;
    this.#timer = setInterval(() => this.#tick(), options.pingIntervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const target = this.#target;
    // While we do not read and wait for nothing to be taken, silence is our own doing.
    const deaf = target.paused && target.backlogBytes === 0;
    if (this.#sawLife() || deaf) {
      this.#lastLifeAt = performance.now();
    } else if (performance.now() - this.#lastLifeAt >= this.#pongTimeoutMs) {
      this.stop();
      target.dead();
      return;
    }
    target.ping();
  }

  // Bytes that go into a send buffer with room prove nothing; a full one that moves proves an acknowledgement.
  #sawLife(): boolean {
    const { receivedBytes, takenBytes, backlogBytes } = this.#target;
    const alive = receivedBytes !== this.#received || (this.#wasBacklogged && takenBytes !== this.#taken);
    this.#received = receivedBytes;
    this.#taken = takenBytes;
    this.#wasBacklogged = backlogBytes > 0;
    return alive;
  }
}
