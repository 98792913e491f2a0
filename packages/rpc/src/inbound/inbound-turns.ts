// Which messages of the remote end are handled in this turn of the event loop, and which wait. All messages of one
// received block arrive in one turn, so without a bound one connection keeps the others waiting. Once a turn's time is used,
// or while the remote end does not read its replies, messages wait here in the order of arrival and the channel is paused.
// One message that takes long by itself is not interrupted.

import type { Channel } from '../channel.js';

// Timers stand in where there is no setImmediate.
const nextTurn: (callback: () => void) => void =
  typeof setImmediate === 'function'
    ? (callback) => void setImmediate(callback)
    : (callback) => void setTimeout(callback, 0);

export interface InboundTurnsOptions {
  readonly channel: Pick<Channel, 'pause' | 'resume' | 'canSend'>;
  /** Infinity: all that arrives in a turn is handled in it. */
  readonly maxTurnMs: number;
  /** The remote end's replies pile up: nothing more is handled until it has read. */
  mustWait(): boolean;
  /** Milliseconds that never run backwards. */
  readonly now?: () => number;
  /** Runs the callback in the next turn. */
  readonly defer?: (callback: () => void) => void;
}

export class InboundTurns {
  readonly #options: InboundTurnsOptions;
  readonly #now: () => number;
  readonly #defer: (callback: () => void) => void;
  #waiting: (() => void)[] = [];
  /** The first of them that is not handled yet. */
  #next = 0;
  #turnBegan: number | undefined;
  #isRunScheduled = false;
  #hasPaused = false;
  #hasEnded = false;
  #whenEmpty: (() => void) | undefined;

  constructor(options: InboundTurnsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#defer = options.defer ?? nextTurn;
  }

  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  /** Whether a message that has just arrived may be handled at once. */
  canHandle(): boolean {
    return this.waiting === 0 && !this.#mustWait() && this.#hasTime();
  }

  /** For a message that may not be handled at once. */
  queue(handle: () => void): void {
    this.#waiting.push(handle);
    this.#pause();
    this.#scheduleRun();
  }

  /** The remote end has read: call it after whatever else may have resumed the channel. */
  drained(): void {
    if (this.waiting === 0) return;
    this.#pause();
    this.#scheduleRun();
  }

  /** What waits is not handled any more. */
  discard(): void {
    this.#waiting = [];
    this.#next = 0;
  }

  /** Runs the callback when nothing waits. */
  whenEmpty(callback: () => void): void {
    if (this.waiting === 0) callback();
    else this.#whenEmpty = callback;
  }

  /** The channel has ended. What came before the end is still handled, in turns; then the callback runs. */
  finish(callback: () => void): void {
    this.#hasEnded = true;
    this.whenEmpty(callback);
    if (this.waiting > 0) this.#scheduleRun();
  }

  #mustWait(): boolean {
    return !this.#hasEnded && this.#options.mustWait();
  }

  #hasTime(): boolean {
    if (this.#options.maxTurnMs === Number.POSITIVE_INFINITY) return true;
    if (this.#turnBegan !== undefined) return this.#now() - this.#turnBegan < this.#options.maxTurnMs;
    this.#turnBegan = this.#now();
    this.#defer(() => {
      this.#turnBegan = undefined;
    });
    return true;
  }

  #scheduleRun(): void {
    if (this.#isRunScheduled || this.#mustWait()) return;
    this.#isRunScheduled = true;
    this.#defer(() => {
      this.#isRunScheduled = false;
      this.#run();
    });
  }

  #run(): void {
    while (this.waiting > 0 && !this.#mustWait() && this.#hasTime()) this.#waiting[this.#next++]?.();
    if (this.waiting > 0) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
      this.#scheduleRun();
      return;
    }
    this.discard();
    const isResumable = this.#hasPaused && !this.#mustWait();
    this.#hasPaused = false;
    // Where replies pile up, what paused the channel for them resumes it.
    if (isResumable && !this.#hasEnded) this.#options.channel.resume();
    const whenEmpty = this.#whenEmpty;
    this.#whenEmpty = undefined;
    whenEmpty?.();
  }

  // Again at each message: the channel may have been resumed because replies were read. One that has said goodbye has to
  // read the other end's.
  #pause(): void {
    if (this.#hasEnded || this.#options.channel.canSend === false) return;
    this.#hasPaused = true;
    this.#options.channel.pause();
  }
}
