/**
 * Keeps one supervisor waiting for each kind of launch that was used, because starting it is the larger part of a launch
 * (Node has to fork itself). Refilled when launches pause, so that a burst pays nothing extra. A spare was started with
 * the limits, umask and credentials that the server had then.
 */
import type { PtyMaster } from '../stream/pty-master.js';
import { openPtyMaster } from './open-pty-master.js';
import { Supervisor } from './supervisor.js';

const REFILL_AFTER_MS = 5;

export interface Seat {
  readonly supervisor: Supervisor;
  /** Only for ptys; the supervisor has it as its first extra descriptor. */
  readonly master: PtyMaster | undefined;
}

export class SpareSupervisors {
  readonly #nativePath: string;
  readonly #seats = new Map<'pipe' | 'pty', Seat>();
  readonly #timers = new Map<'pipe' | 'pty', NodeJS.Timeout>();
  #closed = false;

  constructor(nativePath: string) {
    this.#nativePath = nativePath;
  }

  /** Undefined when none is ready. Either way one will be ready soon. */
  take(kind: 'pipe' | 'pty'): Seat | undefined {
    this.#refillSoon(kind);
    const seat = this.#seats.get(kind);
    this.#seats.delete(kind);
    if (seat === undefined || seat.supervisor.isOpen) return seat;
    seat.master?.close();
    return undefined;
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const seat of this.#seats.values()) {
      seat.supervisor.release();
      seat.master?.close();
    }
    this.#seats.clear();
  }

  #refillSoon(kind: 'pipe' | 'pty'): void {
    if (this.#closed) return;
    clearTimeout(this.#timers.get(kind));
    const timer = setTimeout(() => this.#refill(kind), REFILL_AFTER_MS);
    timer.unref();
    this.#timers.set(kind, timer);
  }

  #refill(kind: 'pipe' | 'pty'): void {
    if (this.#seats.has(kind)) return;
    try {
      const seat = startSeat(this.#nativePath, kind);
      if (seat.supervisor.pid === undefined) seat.master?.close();
      else this.#seats.set(kind, seat);
    } catch {
      // No descriptor or process to spare at the moment: the next launch tells, if it fails too.
    }
  }
}

function startSeat(nativePath: string, kind: 'pipe' | 'pty'): Seat {
  const master = kind === 'pty' ? openPtyMaster() : undefined;
  try {
    const supervisor = new Supervisor(nativePath, master === undefined ? [] : [master.fd]);
    supervisor.keepIdle();
    return { supervisor, master };
  } catch (error) {
    master?.close();
    throw error;
  }
}
