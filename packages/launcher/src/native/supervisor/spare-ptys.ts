/**
 * Keeps supervisors with a terminal waiting for the next launches, because to start one Node has to fork itself, which is the
 * larger part of a launch. (A terminal can only be handed over then; supervisors on pipes come from the nursery.) Four are
 * started with one fork. That is done when launches pause, so that a burst does not wait for it more often than it has to.
 */
import type { PtyDescriptor } from '../../stream/pty-descriptor.js';
import { GuardianProcess } from './guardian-process.js';
import { openPty } from './open-pty.js';
import { SpawnedSupervisor } from './spawned-supervisor.js';
import type { Supervisor } from './supervisor.js';

const REFILL_AFTER_MS = 5;
const BATCH = 4;

export interface Seat {
  readonly supervisor: Supervisor;
  /** Only for ptys; the supervisor has it as its first extra descriptor. */
  readonly master: PtyDescriptor | undefined;
}

export class SparePtys {
  readonly #launcherProgram: string;
  #seats: Seat[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(launcherProgram: string) {
    this.#launcherProgram = launcherProgram;
  }

  /** Undefined when none can be had this way. */
  take(): Seat | undefined {
    if (this.#isClosed) return undefined;
    const seat = this.#nextOpen() ?? this.#nextOfNewBatch();
    this.#refillSoon();
    return seat;
  }

  /** Those that wait are let go, for their descriptors. */
  makeRoom(): void {
    for (const seat of this.#seats.splice(0)) endSeat(seat);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.makeRoom();
  }

  /** Oldest first, so that a guardian ends with its terminals. */
  #nextOpen(): Seat | undefined {
    for (let seat = this.#seats.shift(); seat !== undefined; seat = this.#seats.shift()) {
      if (seat.supervisor.isOpen) return seat;
      seat.master?.close();
    }
    return undefined;
  }

  #nextOfNewBatch(): Seat | undefined {
    this.#refill();
    return this.#nextOpen();
  }

  #refillSoon(): void {
    clearTimeout(this.#timer);
    if (this.#seats.length === 0) this.#timer = setTimeout(() => this.#refill(), REFILL_AFTER_MS).unref();
  }

  #refill(): void {
    if (this.#seats.length > 0) return;
    try {
      this.#seats = startSeats(this.#launcherProgram);
    } catch {
      // No descriptor or process to spare at the moment: the next launch tells, if it fails too.
    }
  }
}

function startSeats(launcherProgram: string): Seat[] {
  const masters: PtyDescriptor[] = [];
  try {
    for (let count = 0; count < BATCH; count += 1) masters.push(openPty());
    const guardian = GuardianProcess.ofTerminals(
      launcherProgram,
      masters.map(({ fd }) => fd),
    );
    const seats = masters.map((master, index) => ({
      supervisor: new SpawnedSupervisor(guardian, index),
      master,
    }));
    for (const { supervisor } of seats) supervisor.rest();
    if (guardian.hasStarted) return seats;
  } catch (error) {
    for (const master of masters) master.close();
    throw error;
  }
  for (const master of masters) master.close();
  return [];
}

function endSeat({ supervisor, master }: Seat): void {
  supervisor.end();
  master?.close();
}
