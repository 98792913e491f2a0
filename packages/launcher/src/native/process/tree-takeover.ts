/**
 * Ends a tree when its supervisor does not obey the order to: its command keeps it stopped, or has taken its time away.
 * What is found below the supervisor is stopped, then killed; a supervisor that has nothing to do any more and still
 * does not say so is killed, too, and its guardian ends what is left. The supervisor is recognised by its start time,
 * and what is killed was found below it after it was stopped, so that a pid that the kernel has reused by now is left
 * alone.
 *
 * Does not find the tree where /proc hides the supervisor (hidepid), and stops with the process that it runs in: after
 * the death of the server the guardian takes its place.
 */
import { killQuietly } from '../../kill-quietly.js';
import { listProcesses, type ProcessEntry } from '../../process-table.js';

export interface SupervisorIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** How long a supervisor may take. A healthy one needs a few milliseconds. */
const PATIENCE_MS = 1000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;
/** Enough to overtake a fork bomb; the next round goes on. */
const MAX_FREEZE_PASSES = 8;
/** Rounds in a row that find nothing to kill, while the supervisor says nothing. */
const MAX_IDLE_ROUNDS = 5;

export class TreeTakeover {
  readonly #supervisor: SupervisorIdentity;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #idleRounds = 0;

  constructor(supervisor: SupervisorIdentity) {
    this.#supervisor = supervisor;
  }

  /** The order has been given: takes over when it is not obeyed in time. */
  schedule(): void {
    this.#timer ??= setTimeout(() => this.#round(), PATIENCE_MS);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  #round(): void {
    const { pid } = this.#supervisor;
    const found = endTreeBelow(this.#supervisor);
    if (found === undefined) return; // it is gone, which its link tells
    this.#idleRounds = found === 0 ? this.#idleRounds + 1 : 0;
    killQuietly(pid, this.#idleRounds < MAX_IDLE_ROUNDS ? 'SIGCONT' : 'SIGKILL');
    this.#timer = setTimeout(() => this.#round(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** One round. How many were killed; undefined when the supervisor is not there. */
function endTreeBelow(supervisor: SupervisorIdentity): number | undefined {
  const stopped = new Set<string>();
  let tree: ProcessEntry[] = [];
  for (let pass = 0; pass < MAX_FREEZE_PASSES; pass += 1) {
    const found = descendantsOf(supervisor);
    if (found === undefined) return undefined;
    tree = found;
    const fresh = tree.filter((entry) => !stopped.has(nameOf(entry)));
    for (const entry of fresh) {
      killQuietly(entry.pid, 'SIGSTOP');
      stopped.add(nameOf(entry));
    }
    if (fresh.length === 0) break;
  }
  for (const { pid } of tree) killQuietly(pid, 'SIGKILL');
  return tree.length;
}

const nameOf = ({ pid, startTime }: ProcessEntry): string => `${pid} ${startTime}`;

/** Without zombies, which only the supervisor can reap. */
function descendantsOf({ pid, startTime }: SupervisorIdentity): ProcessEntry[] | undefined {
  const entries = listQuietly();
  if (!entries.some((entry) => entry.pid === pid && entry.startTime === startTime)) return undefined;
  const below = new Set([pid]);
  for (let before = 0; before < below.size; ) {
    before = below.size;
    for (const entry of entries) if (below.has(entry.parent)) below.add(entry.pid);
  }
  return entries.filter((entry) => entry.pid !== pid && below.has(entry.pid) && !entry.isZombie);
}

/** Short of descriptors nothing is found: the supervisor counts as gone. */
function listQuietly(): ProcessEntry[] {
  try {
    return listProcesses();
  } catch {
    return [];
  }
}
