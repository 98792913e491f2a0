// Records in the journal that a process has been stalled for a second or longer, and that it goes on. It polls once a
// second, and only while there are observers: a flowing process stalls and goes on a thousand times a second.
import type { Clock, Timer } from '@codex/exec-protocol';
import type { Journal } from '../journal/journal.js';
import type { ManagedProcess } from '../process/managed-process.js';
import type { SessionRegistry } from '../session/session-registry.js';

export interface StallWatchOptions {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly sessions: Pick<SessionRegistry, 'list'>;
}

const LOOK_MS = 1000;

export class StallWatch {
  readonly #options: StallWatchOptions;
  /** Seen stalled: once, or told of already. */
  #stalled = new Map<ManagedProcess, 'once' | 'told'>();
  #timer: Timer | undefined;

  constructor(options: StallWatchOptions) {
    this.#options = options;
  }

  setWatched(isWatched: boolean): void {
    if (isWatched) this.#schedule();
    else {
      this.#timer?.cancel();
      this.#timer = undefined;
    }
  }

  #schedule(): void {
    this.#timer ??= this.#options.clock.schedule(LOOK_MS, () => {
      this.#timer = undefined;
      this.#look();
      this.#schedule();
    });
  }

  #look(): void {
    const now = new Map<ManagedProcess, 'once' | 'told'>();
    for (const session of this.#options.sessions.list()) {
      for (const process of session.processes.list()) {
        const before = this.#stalled.get(process);
        const target = { session: session.handle, processId: process.id };
        if (process.output.isStalled) {
          if (before === 'once') this.#options.journal.record({ kind: 'processStalled', ...target });
          now.set(process, before === undefined ? 'once' : 'told');
        } else if (before === 'told') this.#options.journal.record({ kind: 'processFlowing', ...target });
      }
    }
    this.#stalled = now;
  }
}
