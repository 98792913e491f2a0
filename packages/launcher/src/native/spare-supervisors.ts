/**
 * Keeps supervisors waiting for the next launch, because starting one is the larger part of a launch (Node has to fork
 * itself). One is started for each kind of launch that was used, when launches pause, so that a burst pays nothing extra;
 * those that a command is done with and could not reach come back. A spare has the limits, umask and credentials that the
 * server had when it was started.
 */
import type { PtyMaster } from '../stream/pty-master.js';
import { openPtyMaster } from './open-pty-master.js';
import { Supervisor } from './supervisor.js';

const REFILL_AFTER_MS = 5;
/** More than one, so that the next launch finds one while the last command still has its own. */
const MAX_WAITING = 4;

export interface Seat {
  readonly supervisor: Supervisor;
  /** Only for ptys; the supervisor has it as its first extra descriptor. */
  readonly master: PtyMaster | undefined;
}

export class SpareSupervisors {
  readonly #nativePath: string;
  readonly #seats: Readonly<Record<'pipe' | 'pty', Seat[]>> = { pipe: [], pty: [] };
  readonly #timers = new Map<'pipe' | 'pty', NodeJS.Timeout>();
  #closed = false;

  constructor(nativePath: string) {
    this.#nativePath = nativePath;
  }

  /** Undefined when none is ready. Either way one will be ready soon. */
  take(kind: 'pipe' | 'pty'): Seat | undefined {
    this.#refillSoon(kind);
    for (let seat = this.#seats[kind].pop(); seat !== undefined; seat = this.#seats[kind].pop()) {
      if (seat.supervisor.isOpen) return seat;
      seat.master?.close();
    }
    return undefined;
  }

  /**
   * A supervisor on pipes whose tree is gone. Only for commands that could do nothing to it: it is what stands between
   * the next command and the server. A terminal belongs to one supervisor for good.
   */
  giveBack(supervisor: Supervisor): void {
    const seats = this.#seats.pipe;
    if (this.#closed || seats.length >= MAX_WAITING || !supervisor.isOpen) supervisor.release();
    else {
      supervisor.rest();
      seats.push({ supervisor, master: undefined });
    }
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const seat of [...this.#seats.pipe.splice(0), ...this.#seats.pty.splice(0)]) {
      seat.supervisor.release();
      seat.master?.close();
    }
  }

  #refillSoon(kind: 'pipe' | 'pty'): void {
    if (this.#closed) return;
    clearTimeout(this.#timers.get(kind));
    const timer = setTimeout(() => this.#refill(kind), REFILL_AFTER_MS);
    timer.unref();
    this.#timers.set(kind, timer);
  }

  #refill(kind: 'pipe' | 'pty'): void {
    if (this.#seats[kind].length > 0) return;
    try {
      const seat = startSeat(this.#nativePath, kind);
      if (seat.supervisor.pid === undefined) seat.master?.close();
      else this.#seats[kind].push(seat);
    } catch {
      // No descriptor or process to spare at the moment: the next launch tells, if it fails too.
    }
  }
}

function startSeat(nativePath: string, kind: 'pipe' | 'pty'): Seat {
  const master = kind === 'pty' ? openPtyMaster() : undefined;
  try {
    const supervisor = new Supervisor(nativePath, master === undefined ? [] : [master.fd]);
    supervisor.rest();
    return { supervisor, master };
  } catch (error) {
    master?.close();
    throw error;
  }
}
