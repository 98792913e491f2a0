// The way out of a terminal that takes every key: Ctrl-] three times within a second, as with `exec-server attach`.

const CTRL_BRACKET = '\u001d';
const TIMES = 3;
const WITHIN_MS = 1000;

export class LeaveKeys {
  #pressedAt: number[] = [];

  /** Whether this key completes the sequence. Another one in between starts it anew. */
  sees(key: string, now: number): boolean {
    if (key !== CTRL_BRACKET) {
      this.#pressedAt = [];
      return false;
    }
    this.#pressedAt = [...this.#pressedAt.slice(1 - TIMES), now];
    return this.#pressedAt.length === TIMES && now - (this.#pressedAt[0] ?? now) <= WITHIN_MS;
  }
}
