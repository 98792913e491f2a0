// Ends a tree when its supervisor does not obey the order to: its command keeps it stopped, or has taken its time away.
// What is found below the supervisor is stopped, then killed; a supervisor that has nothing to do any more and still
// does not say so is killed, too, and its guardian ends what is left. The supervisor is recognised by its start time,
// and what is killed was found below it after it was stopped, so that a pid that the kernel has reused by now is left
// alone.
//
// Does not find the tree where /proc hides the supervisor (hidepid), and stops with the process that it runs in: after
// the death of the server the guardian takes its place.
import { killQuietly } from '../../kill-quietly.js';
import { endTreeBelow } from './end-tree-below.js';

export interface SupervisorIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** How long a supervisor may take. A healthy one needs a few milliseconds. */
const PATIENCE_MS = 1000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;
/** Rounds in a row that find nothing to kill, while the supervisor says nothing. */
const MAX_IDLE_ROUNDS = 5;

export class TreeTakeover {
  readonly #supervisor: SupervisorIdentity;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #idleRounds = 0;
  #isCancelled = false;

  constructor(supervisor: SupervisorIdentity) {
    this.#supervisor = supervisor;
  }

  /** The order has been given: takes over when it is not obeyed in time. */
  schedule(): void {
    this.#timer ??= setTimeout(() => void this.#round(), PATIENCE_MS);
  }

  cancel(): void {
    this.#isCancelled = true;
    clearTimeout(this.#timer);
  }

  async #round(): Promise<void> {
    const { pid } = this.#supervisor;
    const found = await endTreeBelow(this.#supervisor);
    if (found === undefined || this.#isCancelled) return; // it is gone, which its link tells
    this.#idleRounds = found === 0 ? this.#idleRounds + 1 : 0;
    killQuietly(pid, this.#idleRounds < MAX_IDLE_ROUNDS ? 'SIGCONT' : 'SIGKILL');
    this.#timer = setTimeout(() => void this.#round(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
