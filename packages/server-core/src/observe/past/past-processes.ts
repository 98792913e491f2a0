// The last processes that the server has let go of, for observers who come a little later. A bounded number, each with a
// bounded part of its output: the oldest goes when another comes.
import type { ManagedProcess } from '../../process/managed-process.js';
import type { ProcessKeeper } from '../../process/process-host.js';
import { PastProcess } from './past-process.js';

export interface PastProcessesOptions {
  readonly keepAtMost: number;
  readonly bytesEach: number;
}

export class PastProcesses implements ProcessKeeper {
  readonly #options: PastProcessesOptions;
  /** In the order in which they went. */
  readonly #kept = new Map<string, PastProcess>();

  constructor(options: PastProcessesOptions) {
    this.#options = options;
  }

  keep(process: ManagedProcess, clientName: string): void {
    const { keepAtMost, bytesEach } = this.#options;
    // One that never ran is told by the journal, and has nothing to show.
    if (keepAtMost === 0 || process.pid === null) return;
    const key = keyOf(process.session, process.id);
    this.#kept.delete(key);
    this.#kept.set(key, new PastProcess(process, clientName, bytesEach));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keepAtMost && oldest !== undefined) this.#kept.delete(oldest);
  }

  get(session: string, processId: string): PastProcess | undefined {
    return this.#kept.get(keyOf(session, processId));
  }

  list(): readonly PastProcess[] {
    return [...this.#kept.values()];
  }
}

/** Handles have no slash in them. */
function keyOf(session: string, processId: string): string {
  return `${session}/${processId}`;
}
