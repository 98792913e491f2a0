// All sessions of a server: opening, resuming, taking over, and the end of all.

import { randomUUID } from 'node:crypto';
import {
  type Clock,
  type InitializeParams,
  invalidRequest,
  sessionAlreadyAttached,
  unknownSession,
} from '@codex/exec-protocol';
import type { Launcher } from '@codex/launcher';
import { ProcessHost, type ProcessHostOptions } from '../process/process-host.js';
import { Session } from './session.js';
import type { SessionConnection } from './session-connection.js';
import type { SessionLimits } from './session-limits.js';

export interface SessionRegistryOptions extends ProcessHostOptions {
  readonly session: SessionLimits;
  readonly sessionHooks?: SessionHooks;
}

/** For callers that count sessions, or find them again by their ids. */
export interface SessionHooks {
  /** Default: a random UUID. Clients treat it as opaque; it must not be guessable. */
  newId?(): string;
  opened?(): void;
  ended?(): void;
}

/**
 * After a kill the kernel needs a moment, and so do clients that are to hear of it. Neither a tree that cannot be killed
 * (stuck in the kernel) nor a client that does not read may hold the server for longer. It is then not told the rest.
 */
const FINISH_WAIT_MS = 2000;

export class SessionRegistry {
  readonly #limits: SessionLimits;
  readonly #clock: Clock;
  readonly #host: ProcessHost;
  readonly #hooks: SessionHooks;
  readonly #sessions = new Map<string, Session>();
  readonly #byHandle = new Map<string, Session>();
  /** Sessions that are over while some of their processes are still dying. */
  readonly #ending = new Set<Promise<void>>();

  constructor(options: SessionRegistryOptions) {
    this.#limits = options.session;
    this.#clock = options.clock;
    this.#host = new ProcessHost(options);
    this.#hooks = options.sessionHooks ?? {};
  }

  get size(): number {
    return this.#sessions.size;
  }

  get isShuttingDown(): boolean {
    return this.#host.isShuttingDown;
  }

  get launcher(): Launcher {
    return this.#host.launcher;
  }

  get liveProcesses(): number {
    return this.#host.liveProcesses;
  }

  list(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  byHandle(handle: string): Session | undefined {
    return this.#byHandle.get(handle);
  }

  /** A new session, or the one that the client comes back to. */
  async open(params: InitializeParams, connection: SessionConnection): Promise<Session> {
    if (this.#host.isShuttingDown) throw invalidRequest('exec-server is shutting down');
    const { resumeSessionId } = params;
    return resumeSessionId == null
      ? this.#create(params, connection)
      : this.#resume(resumeSessionId, connection);
  }

  /**
   * Lets commands end within the grace period, then kills every tree; clients are sent all of that before it resolves.
   */
  async shutdown(): Promise<void> {
    this.#host.isShuttingDown = true;
    const grace = this.#host.limits.shutdownGracePeriodMs;
    const sessions = [...this.#sessions.values()];
    const asked = Promise.all(sessions.map((session) => session.processes.terminateAll(grace)));
    await this.#atMost(grace, asked);
    const finished = sessions.map((session) => session.processes.finish());
    await this.#atMost(FINISH_WAIT_MS, Promise.all([...finished, ...this.#ending]));
    for (const session of sessions) void session.end();
    this.#host.close();
  }

  /** Ends what should be over by the wall clock, on a machine that was suspended. */
  endExpired(wallNow: number): void {
    for (const session of [...this.#sessions.values()]) session.endIfExpired(wallNow);
  }

  #create(params: InitializeParams, connection: SessionConnection): Session {
    if (this.#sessions.size >= this.#limits.maxSessions) this.#endEmpty();
    if (this.#sessions.size >= this.#limits.maxSessions) {
      throw invalidRequest(`too many sessions: the limit (maxSessions) is ${this.#limits.maxSessions}`);
    }
    const session = new Session({
      id: this.#hooks.newId?.() ?? randomUUID(),
      host: this.#host,
      clock: this.#clock,
      connection,
      ttlMs: this.#ttlOf(params),
      onEnd: (ended) => this.#ended(ended),
    });
    this.#sessions.set(session.id, session);
    this.#byHandle.set(session.handle, session);
    this.#hooks.opened?.();
    return session;
  }

  /** In favour of a new one: of those whose client is away and that have no process, so nothing to lose, the oldest. */
  #endEmpty(): void {
    const empty = this.list().find(
      ({ connection, processes }) => connection === undefined && processes.list().length === 0,
    );
    void empty?.end('expired');
  }

  /** A client that did not send the key `resumeSessionId` does not know of resuming and cannot come back. */
  #ttlOf(params: InitializeParams): number | undefined {
    if (!Object.hasOwn(params, 'resumeSessionId')) return undefined;
    return Math.min(params.sessionTtlMs ?? this.#limits.sessionTtlMs, this.#limits.maxSessionTtlMs);
  }

  async #resume(id: string, connection: SessionConnection): Promise<Session> {
    const session = this.#sessions.get(id);
    // The session of another identity is as unknown as one that does not exist, and so is one whose client cannot come
    // back.
    const isTheirs = session?.identity === connection.identity && session.isResumable;
    if (session === undefined || !isTheirs) throw unknownSession(id);
    const holder = session.connection;
    if (holder !== undefined) {
      const isAlive = await holder.probe(this.#limits.takeoverProbeMs);
      if (session.isEnded) throw unknownSession(id);
      const isHeldByAnother = session.connection !== undefined && session.connection !== holder;
      if (isHeldByAnother || (isAlive && session.connection === holder)) throw sessionAlreadyAttached(id);
    }
    session.resume(connection);
    return session;
  }

  #ended(session: Session): void {
    if (this.#sessions.delete(session.id)) this.#hooks.ended?.();
    this.#byHandle.delete(session.handle);
    const end = session.end().finally(() => this.#ending.delete(end));
    this.#ending.add(end);
  }

  #atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.schedule(milliseconds, resolve);
      void work.finally(() => {
        timer.cancel();
        resolve();
      });
    });
  }
}
