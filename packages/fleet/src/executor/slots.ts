// How many sessions this machine has room for. A slot is taken when a caller is let in, and kept by the session it opens,
// which may outlive its channel.

export class Slots {
  readonly #most: number;
  readonly #changed: () => void;
  #sessions = 0;
  #reserved = 0;

  constructor(most: number, changed: () => void) {
    this.#most = most;
    this.#changed = changed;
  }

  get most(): number {
    return this.#most;
  }

  get sessions(): number {
    return this.#sessions;
  }

  get free(): number {
    return Math.max(0, this.#most - this.#sessions - this.#reserved);
  }

  get isEmpty(): boolean {
    return this.#sessions === 0 && this.#reserved === 0;
  }

  /** A slot for a session that is about to be opened. Giving it back twice changes nothing. */
  reserve(): () => void {
    this.#reserved++;
    this.#changed();
    let isReserved = true;
    return () => {
      if (!isReserved) return;
      isReserved = false;
      this.#reserved--;
      this.#changed();
    };
  }

  opened(): void {
    this.#sessions++;
    this.#changed();
  }

  ended(): void {
    this.#sessions--;
    this.#changed();
  }
}
