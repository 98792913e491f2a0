// After a supervisor was lost while it had a tree: what is left of the tree has come to its guardian, which ends it
// unless the command has stopped the guardian as well. The guardian is woken at once and every second; from the second
// time on what /proc shows below it is ended from here, too, because a stray may stop the guardian faster than it is
// woken.
//
// Does not see strays where /proc hides them (hidepid): there the guardian is only woken. Does not keep the event loop
// alive: at the end of this process the kernel wakes the guardian (parent-death signal).
import type { ChildProcess } from 'node:child_process';
import type { ProcessEntry } from '../../process-table.js';
import { endTreeBelow } from '../process/end-tree-below.js';

const WAKE_EVERY_MS = 1000;
/** Rounds in a row that find nothing below a guardian that stays for other supervisors. */
const MAX_IDLE_ROUNDS = 5;

export interface StrayHuntOptions {
  readonly guardian: ChildProcess;
  /** Supervisors below a guardian of many, which then also outlives the hunt. Without it the guardian has to end. */
  readonly isSupervisor?: (entry: ProcessEntry) => boolean;
}

export class StrayHunt {
  readonly #options: StrayHuntOptions;
  #timer: NodeJS.Timeout | undefined;
  #idleRounds = 0;
  /** A machine with very many processes takes longer to look at than from one round to the next. */
  #isLooking = false;

  constructor(options: StrayHuntOptions) {
    this.#options = options;
  }

  /** A supervisor was lost: now, or while the hunt for the strays of another one goes on. */
  begin(): void {
    this.#idleRounds = 0;
    this.#options.guardian.kill('SIGCONT');
    this.#timer ??= setInterval(() => void this.#round(), WAKE_EVERY_MS).unref();
  }

  async #round(): Promise<void> {
    const { guardian, isSupervisor } = this.#options;
    if (this.#isLooking) return;
    // Until Node has told of its exit, the pid is that of our child.
    if (guardian.exitCode !== null || guardian.signalCode !== null || guardian.pid === undefined) {
      this.#end();
      return;
    }
    this.#isLooking = true;
    const found = await endTreeBelow({ pid: guardian.pid }, isSupervisor);
    this.#isLooking = false;
    guardian.kill('SIGCONT');
    this.#idleRounds = found === 0 || found === undefined ? this.#idleRounds + 1 : 0;
    if (isSupervisor !== undefined && this.#idleRounds >= MAX_IDLE_ROUNDS) this.#end();
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
