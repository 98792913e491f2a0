/**
 * Keeps one supervisor with a terminal waiting for the next launch, because starting one is the larger part of a launch:
 * Node has to fork itself. (A terminal can only be handed over then; supervisors on pipes come from the nursery.) It is
 * started when launches pause, so that a burst pays nothing extra.
 */
import type { PtyMaster } from '../../stream/pty-master.js';
import { openPtyMaster } from './open-pty-master.js';
import { SpawnedSupervisor } from './spawned-supervisor.js';
import type { Supervisor } from './supervisor.js';

const REFILL_AFTER_MS = 5;

export interface Seat {
  readonly supervisor: Supervisor;
  /** Only for ptys; the supervisor has it as its first extra descriptor. */
  readonly master: PtyMaster | undefined;
}

export class SparePtys {
  readonly #launcherProgram: string;
  #seat: Seat | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(launcherProgram: string) {
    this.#launcherProgram = launcherProgram;
  }

  /** Undefined when none is ready. Either way one will be ready soon. */
  take(): Seat | undefined {
    this.#refillSoon();
    const seat = this.#seat;
    this.#seat = undefined;
    if (seat === undefined || seat.supervisor.isOpen) return seat;
    seat.master?.close();
    return undefined;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#seat?.supervisor.end();
    this.#seat?.master?.close();
    this.#seat = undefined;
  }

  #refillSoon(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#refill(), REFILL_AFTER_MS).unref();
  }

  #refill(): void {
    if (this.#seat !== undefined) return;
    try {
      this.#seat = startSeat(this.#launcherProgram);
    } catch {
      // No descriptor or process to spare at the moment: the next launch tells, if it fails too.
    }
  }
}

function startSeat(launcherProgram: string): Seat | undefined {
  const master = openPtyMaster();
  try {
    const supervisor = new SpawnedSupervisor(launcherProgram, [master.fd]);
    supervisor.rest();
    if (supervisor.hasStarted) return { supervisor, master };
    master.close();
    return undefined;
  } catch (error) {
    master.close();
    throw error;
  }
}
