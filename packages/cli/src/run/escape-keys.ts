// The escape key of a raw terminal whose command does not react: Ctrl-] three times within a second.

const CTRL_BRACKET = 0x1d;
const TIMES = 3;
const WITHIN_MS = 1_000;

export class EscapeKeys {
  #pressedAt: number[] = [];

  /** Says whether these keys complete the sequence. Any other key in between starts it anew. */
  sees(keys: Uint8Array, now: number): boolean {
    for (const key of keys) {
      if (key !== CTRL_BRACKET) {
        this.#pressedAt = [];
        continue;
      }
      this.#pressedAt = [...this.#pressedAt.slice(1 - TIMES), now];
      if (this.#pressedAt.length === TIMES && now - (this.#pressedAt[0] ?? now) <= WITHIN_MS) return true;
    }
    return false;
  }
}
