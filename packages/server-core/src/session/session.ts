// One client's processes and the connection attached to them: at most one at a time, and for a client that can come
// back, none for a while.

import type { Clock, Timer } from '@codex/exec-protocol';
import type { ManagedProcess } from '../process/managed-process.js';
import type { ProcessHost } from '../process/process-host.js';
import { ProcessTable } from '../process/process-table.js';
import { ClientRecovery } from './client-recovery.js';
import type { SessionConnection } from './session-connection.js';

/** Close code for a connection whose session was taken over. */
const TAKEN_OVER = 4001;

export interface SessionOptions {
  /** A secret: a client that knows it can take the session over. It never goes into a log. */
  readonly id: string;
  readonly host: ProcessHost;
  readonly clock: Clock;
  readonly connection: SessionConnection;
  /** How long the session waits for its client; undefined when the client cannot come back. */
  readonly ttlMs: number | undefined;
  /** The session is over, for whatever reason. */
  readonly onEnd: (session: Session) => void;
}

export class Session {
  readonly id: string;
  readonly identity: string;
  readonly processes: ProcessTable;
  /** What a client that came back has not read yet. */
  readonly recovery: ClientRecovery;
  readonly #options: SessionOptions;
  #connection: SessionConnection | undefined;
  #expiry: Timer | undefined;
  #ended: Promise<void> | undefined;
  readonly #over = new AbortController();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.identity = options.connection.identity;
    this.processes = new ProcessTable(options.host);
    this.recovery = new ClientRecovery({ clock: options.clock, processes: this.processes });
    this.#attach(options.connection);
  }

  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Aborted when the session is over, for what belongs to it beside its processes. */
  get endSignal(): AbortSignal {
    return this.#over.signal;
  }

  get isResumable(): boolean {
    return this.#options.ttlMs !== undefined;
  }

  get connection(): SessionConnection | undefined {
    return this.#connection;
  }

  isAttachedTo(connection: object): boolean {
    return this.#connection === connection;
  }

  /** The start reply is out: from here on the process may be heard. */
  announce(process: ManagedProcess): void {
    this.recovery.forget(process);
    this.processes.announce(process);
  }

  /** Hands the session to a connection; one that held it is closed. */
  resume(connection: SessionConnection): void {
    const previous = this.#connection;
    this.#attach(connection);
    previous?.close(TAKEN_OVER, 'session has been resumed by another connection');
  }

  /** The connection ended. A connection that no longer holds the session changes nothing. */
  detach(connection: object): void {
    if (this.#connection !== connection || this.isEnded) return;
    this.#connection = undefined;
    const { ttlMs, clock } = this.#options;
    if (ttlMs === undefined) {
      void this.end();
      return;
    }
    this.recovery.end();
    this.processes.detach();
    this.#expiry = clock.schedule(ttlMs, () => void this.end());
  }

  /** Kills everything that was started in it. Resolves when nothing is left. */
  end(): Promise<void> {
    if (this.#ended === undefined) {
      this.#connection = undefined;
      this.#expiry?.cancel();
      this.recovery.end();
      this.#ended = this.processes.end();
      this.#over.abort();
      this.#options.onEnd(this);
    }
    return this.#ended;
  }

  #attach(connection: SessionConnection): void {
    this.#expiry?.cancel();
    this.#expiry = undefined;
    this.#connection = connection;
    this.processes.attach(connection);
    this.recovery.begin();
  }
}
