// A client that comes back reads every process it knows before it wants to be sent anything. Until it has read a process,
// or shows that it does not mean to, nothing of that process is sent.

import type { Clock, Timer } from '@codex/exec-protocol';
import type { ManagedProcess } from '../process/managed-process.js';
import type { ProcessTable } from '../process/process-table.js';

/**
 * A client that has read nothing for this long relies on being sent. Too short a time makes a slow client receive events
 * it cannot place yet.
 */
const QUIET_MS = 1000;

export class ClientRecovery {
  readonly #clock: Clock;
  readonly #processes: ProcessTable;
  readonly #unread = new Set<ManagedProcess>();
  #quiet: Timer | undefined;

  constructor({ clock, processes }: { readonly clock: Clock; readonly processes: ProcessTable }) {
    this.#clock = clock;
    this.#processes = processes;
  }

  /** A client has come, the first or one that came back. */
  begin(): void {
    this.end();
    for (const process of this.#processes.list()) this.#unread.add(process);
    if (this.#unread.size > 0) this.#awaitQuiet();
  }

  /** The client is gone, or the session is. */
  end(): void {
    this.#quiet?.cancel();
    this.#quiet = undefined;
    this.#unread.clear();
  }

  /** Whether the client came back and has not said yet from where it wants to be sent this process. */
  isUnread(process: ManagedProcess): boolean {
    return this.#unread.has(process);
  }

  /** The client has read up to `nextSeq` and is sent the rest. */
  read(process: ManagedProcess, nextSeq: number): void {
    if (!this.#unread.delete(process)) return;
    if (this.#unread.size > 0) this.#awaitQuiet();
    this.#processes.sendOn(process, nextSeq);
  }

  /** Its start is being answered on this connection: there is nothing to catch up with. */
  forget(process: ManagedProcess): void {
    this.#unread.delete(process);
  }

  #awaitQuiet(): void {
    this.#quiet?.cancel();
    this.#quiet = this.#clock.schedule(QUIET_MS, () => {
      // Where this server itself was held up, the client's reads wait behind this timer: they come first.
      this.#quiet = this.#clock.schedule(1, () => {
        for (const process of [...this.#unread]) void this.#sendOn(process);
      });
    });
  }

  /** From where the last client was sent to; a start whose reply got lost is sent from its beginning. */
  async #sendOn(process: ManagedProcess): Promise<void> {
    if (process.isStarting && !(await process.started)) return;
    if (this.#unread.delete(process) && !process.output.isDelivered) this.#processes.sendOn(process);
  }
}
