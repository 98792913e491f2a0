// Supervisors that wait for a command. They come from the nursery, a few ahead of need, so that a launch rarely waits
// and never for a fork of Node; those that a command is done with and could not reach come back. When there is no
// nursery, or it does not answer, the caller starts a supervisor itself.

import type { Supervisor } from '../supervisor/supervisor.js';
import { Nursery } from './nursery.js';

/** Asked for together when none is left: the nursery and Node are woken once for several launches. */
const BATCH = 3;
/** More come back than are asked for, so that the next launch finds one while the last commands still have theirs. */
const MAX_WAITING = 4;
/** An ask wakes a nursery that was stopped; what can make it this slow is a stop after the ask, again and again. */
const PATIENCE_MS = 1000;
/** After a nursery that gave nothing. */
const RETRY_AFTER_MS = 5000;

interface Waiter {
  readonly resolve: (supervisor: Supervisor | undefined) => void;
  readonly timer: NodeJS.Timeout;
}

export class WaitingSupervisors {
  readonly #launcherProgram: string;
  readonly #ready: Supervisor[] = [];
  readonly #waiters: Waiter[] = [];
  #nursery: Nursery | undefined;
  #expected = 0;
  #hasGiven = false;
  #retryAt = 0;
  #isClosed = false;

  constructor(launcherProgram: string) {
    this.#launcherProgram = launcherProgram;
  }

  /** One is asked for that is not there yet. */
  expect(): void {
    this.#askAhead();
  }

  /** Undefined when none can be had this way. */
  async take(): Promise<Supervisor | undefined> {
    for (let ready = this.#ready.pop(); ready !== undefined; ready = this.#ready.pop()) {
      if (!ready.isOpen) continue;
      this.#askAhead();
      return ready;
    }
    if (!this.#startNursery()) return undefined;
    return new Promise((resolve) => {
      // One more turn of the loop: after a long one the answer may be there already, and timers come first.
      const timer = setTimeout(() => setImmediate(() => this.#giveUp(waiter)), PATIENCE_MS);
      const waiter = { resolve, timer };
      this.#waiters.push(waiter);
      this.#askAhead();
    });
  }

  /**
   * One whose tree is gone. Only for commands that could do nothing to it: it is what stands between the next command
   * and the server.
   */
  release(supervisor: Supervisor): void {
    if (this.#isClosed || this.#ready.length >= MAX_WAITING || !supervisor.isOpen) supervisor.end();
    else {
      supervisor.rest();
      this.#ready.push(supervisor);
    }
  }

  /** Those that wait are let go, for their descriptors. */
  makeRoom(): void {
    for (const supervisor of this.#ready.splice(0)) supervisor.end();
  }

  /** The nursery is not what it was when it was started: the next launch gets a new one. */
  renew(): void {
    this.#nursery?.close();
    this.#forget();
    this.makeRoom();
  }

  close(): void {
    this.#isClosed = true;
    this.renew();
  }

  #startNursery(): boolean {
    if (this.#nursery !== undefined) return true;
    if (this.#isClosed || Date.now() < this.#retryAt) return false;
    this.#hasGiven = false;
    try {
      this.#nursery = new Nursery(this.#launcherProgram, {
        born: (supervisor) => this.#receive(supervisor),
        ended: () => {
          if (!this.#hasGiven) this.#retryAt = Date.now() + RETRY_AFTER_MS;
          this.#forget();
        },
      });
      return true;
    } catch {
      return false; // the caller's own attempt tells why
    }
  }

  #askAhead(): void {
    const left = this.#ready.length + this.#expected - this.#waiters.length;
    if (left >= 1 || !this.#startNursery()) return;
    this.#nursery?.ask(BATCH - left);
    this.#expected += BATCH - left;
  }

  #receive(supervisor: Supervisor | undefined): void {
    this.#expected = Math.max(0, this.#expected - 1);
    if (supervisor !== undefined) this.#hasGiven = true;
    const waiter = this.#waiters.shift();
    if (waiter === undefined) {
      if (supervisor !== undefined) this.release(supervisor);
      return;
    }
    clearTimeout(waiter.timer);
    waiter.resolve(supervisor);
  }

  #giveUp(waiter: Waiter): void {
    const place = this.#waiters.indexOf(waiter);
    if (place < 0) return;
    // The others are late too: the next launch asks again, which wakes a nursery that was stopped.
    this.#expected = 0;
    this.#waiters.splice(place, 1);
    waiter.resolve(undefined);
  }

  /** The nursery answers no more. */
  #forget(): void {
    this.#nursery = undefined;
    this.#expected = 0;
    for (const waiter of this.#waiters.splice(0)) {
      clearTimeout(waiter.timer);
      waiter.resolve(undefined);
    }
  }
}
