// Coalesces output into fewer messages. A program that writes line after line is read a few kilobytes at a time; sent
// like that, each read would cost both ends a message of its own. So output that follows a message of some size within
// a millisecond is delayed, one millisecond at most. Everything else is sent at once: prompts, echoes and single lines
// are never delayed.

import type { Clock } from '@codex/exec-protocol';

/** A message with less output than this is no flow. */
const FLOW_BYTES = 4 * 1024;
const FLOW_MS = 1;

export class PushPacer {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #flowsUntil = Number.NEGATIVE_INFINITY;
  #isWaiting = false;

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** Whether a message may go out; that much is not sent, and so much makes a whole one. If it may not, wakes when it may. */
  mayGo(unsentBytes: number, messageBytes: number): boolean {
    if (unsentBytes >= messageBytes || this.#clock.now() >= this.#flowsUntil) return true;
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      this.#clock.schedule(FLOW_MS, () => {
        this.#isWaiting = false;
        this.#wake();
      });
    }
    return false;
  }

  /** A message with that much output has gone out. */
  sent(bytes: number): void {
    if (bytes >= FLOW_BYTES) this.#flowsUntil = this.#clock.now() + FLOW_MS;
  }
}
