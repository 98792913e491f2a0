// Stops the clock of yield windows while a decision is pending, e.g. a person is asked for an approval.

export interface PauseGate {
  readonly paused: boolean;
  /** Called when `paused` changes; returns how to stop that. */
  onChange(listener: () => void): () => void;
}

/** A gate that is closed while at least one hold is on it. */
export class PauseHolds implements PauseGate {
  readonly #listeners = new Set<() => void>();
  #holds = 0;

  get paused(): boolean {
    return this.#holds > 0;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the release; releasing twice counts once. */
  hold(): () => void {
    let held = true;
    this.#change(1);
    return () => {
      if (held) this.#change(-1);
      held = false;
    };
  }

  #change(by: number): void {
    const before = this.paused;
    this.#holds += by;
    if (this.paused !== before) for (const listener of [...this.#listeners]) listener();
  }
}
