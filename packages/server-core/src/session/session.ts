// One client's processes and the connection attached to them: at most one at a time, and for a client that can come
// back, none for a while.

import { randomBytes } from 'node:crypto';
import type { Clock, Timer } from '@codex/exec-protocol';
import type { NewEvent } from '../journal/journal.js';
import type { ManagedProcess } from '../process/managed-process.js';
import type { ProcessHost } from '../process/process-host.js';
import { ProcessTable } from '../process/process-table.js';
import { shortened } from '../process/read/listed-command.js';
import { ClientRecovery } from './client-recovery.js';
import type { SessionConnection } from './session-connection.js';

/** Close code for a connection whose session was taken over. */
const TAKEN_OVER = 4001;

/** So long a silent connection counts as alive. */
const SILENCE_GRACE_MS = 12_000;

const MAX_NAME_LENGTH = 200;

type SessionEnd = 'left' | 'expired' | 'shutdown';

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
  /** What observers call it: as random as the id, and good for nothing but to name it. */
  readonly handle = `s-${randomBytes(9).toString('base64url')}`;
  readonly openedAtMs = Date.now();
  readonly identity: string;
  readonly processes: ProcessTable;
  /** What a client that came back has not read yet. */
  readonly recovery: ClientRecovery;
  readonly #options: SessionOptions;
  #connection: SessionConnection | undefined;
  #expiry: Timer | undefined;
  /** Epoch milliseconds. */
  #expiresAtMs: number | undefined;
  #sinceMs = Date.now();
  #clientName = '';
  #ended: Promise<void> | undefined;
  readonly #over = new AbortController();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.identity = options.connection.identity;
    this.processes = new ProcessTable(options.host, this.handle);
    this.recovery = new ClientRecovery({ clock: options.clock, processes: this.processes });
    this.#attach(options.connection);
    const { identity, handle: session } = this;
    this.#record({ kind: 'sessionOpened', session, clientName: this.#clientName, identity });
  }

  /** How its client calls itself that is, or was last, attached. */
  get clientName(): string {
    return this.#clientName;
  }

  /** Since when a client is there, or is not. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** Until when it waits for its client; undefined while one is there. */
  get expiresAtMs(): number | undefined {
    return this.#expiresAtMs;
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
    const awayMs = previous === undefined ? Math.max(0, Date.now() - this.#sinceMs) : 0;
    this.#attach(connection);
    const { handle: session, clientName } = this;
    const takenOver = previous !== undefined;
    this.#record({ kind: 'sessionResumed', session, clientName, awayMs, takenOver });
    previous?.close(TAKEN_OVER, 'session has been resumed by another connection');
  }

  /** The client said that it does not come back. A connection that no longer holds the session changes nothing. */
  leave(connection: object): void {
    if (this.#connection === connection) void this.end('left');
  }

  /** The connection ended. A connection that no longer holds the session changes nothing. */
  detach(connection: object): void {
    if (this.#connection !== connection || this.isEnded) return;
    const { heardAt } = this.#connection;
    this.#connection = undefined;
    const { ttlMs, clock } = this.#options;
    if (ttlMs === undefined) {
      void this.end('left');
      return;
    }
    this.recovery.end();
    this.processes.detach();
    // A client that was silent before its connection counted as broken has used up some of its time.
    const silentMs = Math.max(0, Date.now() - (heardAt ?? Date.now()) - SILENCE_GRACE_MS);
    const remainingMs = ttlMs - silentMs;
    this.#sinceMs = Date.now();
    this.#expiresAtMs = this.#sinceMs + remainingMs;
    this.#record({ kind: 'sessionAway', session: this.handle, expiresAtMs: this.#expiresAtMs });
    if (remainingMs <= 0) void this.end('expired');
    else this.#expiry = clock.schedule(remainingMs, () => void this.end('expired'));
  }

  /** Ends the session when its time is over by the wall clock: the timers of a suspended machine stand still. */
  endIfExpired(wallNow: number): void {
    if (this.#expiresAtMs !== undefined && wallNow >= this.#expiresAtMs) void this.end('expired');
  }

  /** Kills everything that was started in it. Resolves when nothing is left. */
  end(reason: SessionEnd = 'shutdown'): Promise<void> {
    if (this.#ended === undefined) {
      this.#record({ kind: 'sessionEnded', session: this.handle, reason });
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
    this.#clientName = shortened(connection.clientName ?? '', MAX_NAME_LENGTH);
    this.#sinceMs = Date.now();
    this.#expiresAtMs = undefined;
    this.processes.attach(connection);
    this.recovery.begin();
  }

  #record(event: NewEvent): void {
    this.#options.host.journal?.record(event);
  }
}
