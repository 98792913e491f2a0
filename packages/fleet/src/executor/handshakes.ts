// Callers that were let in and have not opened or taken up a session yet. They cost a channel each, and a machine has so many: one
// identity may hold half of them, or it could keep everybody else from coming back to theirs.

export class Handshakes {
  readonly #most: number;
  readonly #underWay = new Map<string, number>();

  /** On a machine of so many channels. */
  constructor(channels: number) {
    this.#most = channels / 2;
  }

  hasTooMany(identity: string): boolean {
    return this.#of(identity) >= this.#most;
  }

  /** Returns what is to be called when it is over. Twice changes nothing. */
  begin(identity: string): () => void {
    this.#underWay.set(identity, this.#of(identity) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = this.#of(identity) - 1;
      if (left === 0) this.#underWay.delete(identity);
      else this.#underWay.set(identity, left);
    };
  }

  #of(identity: string): number {
    return this.#underWay.get(identity) ?? 0;
  }
}
