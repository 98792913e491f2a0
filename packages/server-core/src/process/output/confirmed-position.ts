// Tracks how far a client is known to have read a process's output. A connection knows how many of its bytes were read;
// this maps them to events. A client that comes back says itself what it has, and is believed.

/** Events are told apart in steps of so many bytes of their connection. */
const STEP_BYTES = 64 * 1024;

export class ConfirmedPosition {
  #seq = 1;
  /** Places on the connection and the event behind each; the last one moves on with every message, within a step. */
  #steps: { readonly bytes: number; readonly seq: number }[] = [];
  #stepBytes = 0;
  #lastBytes = 0;
  #lastSeq = 1;

  /** The client is known to have every event before this one. */
  get seq(): number {
    return this.#seq;
  }

  /** A client that came back has everything before this event, and nothing else. */
  told(seq: number): void {
    this.#seq = seq;
    this.begin(seq, 0);
  }

  /** A connection begins, with so many bytes sent on it already. */
  begin(seq: number, sentBytes: number): void {
    this.#steps = [];
    this.#stepBytes = sentBytes;
    this.#lastBytes = sentBytes;
    this.#lastSeq = seq;
  }

  /** Every event before this one is among so many bytes sent. */
  sent(seq: number, sentBytes: number): void {
    if (seq === this.#lastSeq) return;
    if (this.#lastBytes - this.#stepBytes >= STEP_BYTES) {
      this.#steps.push({ bytes: this.#lastBytes, seq: this.#lastSeq });
      this.#stepBytes = this.#lastBytes;
    }
    this.#lastBytes = sentBytes;
    this.#lastSeq = seq;
  }

  /** So many bytes of the connection were read. */
  read(bytes: number): void {
    let passed = 0;
    for (const step of this.#steps) {
      if (step.bytes > bytes) break;
      this.#seq = Math.max(this.#seq, step.seq);
      passed++;
    }
    if (passed > 0) this.#steps.splice(0, passed);
    if (this.#lastBytes <= bytes) this.#seq = Math.max(this.#seq, this.#lastSeq);
  }
}
