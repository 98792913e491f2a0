// All observing of one server: who observes, what they may see of which session, and the journal.
import {
  type Clock,
  type Grant,
  invalidRequest,
  type JournalEvent,
  type JournalReadResult,
  notPermitted,
  type ObservedSession,
  type RpcError,
} from '@codex/exec-protocol';
import type { Journal } from '../journal/journal.js';
import type { ManagedProcess } from '../process/managed-process.js';
import { shortened } from '../process/read/listed-command.js';
import type { Session } from '../session/session.js';
import type { SessionRegistry } from '../session/session-registry.js';
import { Access, type Admitted, type MayObserve } from './access.js';
import { ApprovalDesk } from './approvals/approval-desk.js';
import type { ObserveLimits } from './observe-limits.js';
import { Observer, type ObserverOptions } from './observer.js';
import { ObserverPacer } from './observer-pacer.js';
import type { PastProcess } from './past/past-process.js';
import type { PastProcesses } from './past/past-processes.js';
import { SessionIdentities } from './session-identities.js';
import { StallWatch } from './stall-watch.js';
import { TypingBlocks } from './typing-blocks.js';

export interface ObservationOptions {
  readonly sessions: SessionRegistry;
  readonly past: PastProcesses;
  readonly journal: Journal;
  readonly limits: ObserveLimits;
  readonly clock: Clock;
  readonly mayObserve?: MayObserve | undefined;
}

/** What becomes an observer. */
export type ObservingConnection = Pick<ObserverOptions, 'access' | 'clientName' | 'peer' | 'signal'>;

export type Intervention = 'signal' | 'terminate' | 'write' | 'resize';

export interface JournalRequest {
  readonly afterSeq: number;
  readonly waitMs: number;
  readonly maxEvents: number;
  readonly session: string | null;
}

export interface ProcessTarget {
  readonly session: string;
  readonly processId: string;
}

export interface ObservedTarget {
  /** Of the session. */
  readonly identity: string;
  readonly process: ManagedProcess | PastProcess;
}

const MAX_NAME_LENGTH = 200;

function missing(grant: Grant, handle: string): RpcError {
  return notPermitted(`this observer has not been granted \`${grant}\` for the session ${handle}`);
}

export class Observation {
  readonly journal: Journal;
  readonly limits: ObserveLimits;
  readonly approvals: ApprovalDesk;
  readonly pacer: ObserverPacer;
  readonly #options: ObservationOptions;
  readonly #observers = new Set<Observer>();
  readonly #stalls: StallWatch;
  readonly #typing: TypingBlocks;
  /** Of sessions that the journal still tells of. */
  readonly #identities: SessionIdentities;
  #nextId = 1;

  constructor(options: ObservationOptions) {
    const { journal, limits, clock, sessions } = options;
    this.#options = options;
    this.journal = journal;
    this.limits = limits;
    this.pacer = new ObserverPacer(clock);
    this.approvals = new ApprovalDesk({
      clock,
      journal,
      maxPerSession: limits.maxApprovalsPerSession,
      isAnybodyThere: (session) => this.#deciders(session).length > 0,
      changed: (approval, session) => {
        for (const observer of this.#deciders(session)) observer.tellApproval(approval);
      },
    });
    this.#stalls = new StallWatch({ clock, journal, sessions });
    this.#typing = new TypingBlocks(clock);
    this.#identities = new SessionIdentities(journal);
  }

  accessOf(admitted: Admitted): Access {
    return new Access(admitted, this.#options.mayObserve);
  }

  /** A connection becomes an observer. Throws where it may not, or where there are too many. */
  join(connection: ObservingConnection): Observer {
    const { access, peer, signal } = connection;
    if (!access.has('observe')) {
      throw notPermitted('this connection may not observe: it has not been granted `observe`');
    }
    const { limits, clock } = this.#options;
    if (this.#observers.size >= limits.maxObservers) {
      throw invalidRequest(`too many observers: the limit (maxObservers) is ${limits.maxObservers}`);
    }
    const clientName = shortened(connection.clientName, MAX_NAME_LENGTH);
    const { journal } = this;
    const id = this.#nextId++;
    const observer = new Observer({ id, access, clientName, peer, signal, limits, clock, journal });
    this.#observers.add(observer);
    this.#stalls.setWatched(true);
    this.journal.record({
      kind: 'observerCame',
      observer: observer.id,
      identity: access.identity,
      clientName,
      grants: [...access.observerGrants],
    });
    return observer;
  }

  leave(observer: Observer): void {
    if (!this.#observers.delete(observer)) return;
    const sessions = new Set(observer.watches.map(({ process }) => process.session));
    observer.end();
    if (this.#observers.size === 0) this.#stalls.setWatched(false);
    for (const handle of sessions) this.watchersChanged(handle);
    this.journal.record({ kind: 'observerLeft', observer: observer.id });
  }

  /** The session of that handle, if this observer may see it and do this with it. */
  session(observer: Observer, handle: string, grant: Grant): Session {
    const session = this.#options.sessions.byHandle(handle);
    // One that may not be seen is as unknown as one that does not exist.
    if (session === undefined || !this.canSee(observer, session)) {
      throw invalidRequest(`unknown session ${shortened(handle, MAX_NAME_LENGTH)}`);
    }
    if (!observer.access.can(grant, session)) throw missing(grant, handle);
    return session;
  }

  process(
    observer: Observer,
    target: ProcessTarget,
    grant: Grant,
  ): { session: Session; process: ManagedProcess } {
    const session = this.session(observer, target.session, grant);
    const process = session.processes.get(target.processId);
    if (process === undefined) {
      throw invalidRequest(`unknown process id ${shortened(target.processId, MAX_NAME_LENGTH)}`);
    }
    return { session, process };
  }

  /** The same, also for a process that the server has let go of: to look at, not to act on. */
  processOrPast(observer: Observer, target: ProcessTarget, grant: Grant): ObservedTarget {
    const session = this.#options.sessions.byHandle(target.session);
    if (session?.processes.get(target.processId) === undefined) {
      const past = this.#past(observer, target, grant);
      if (past !== undefined) return past;
    }
    const found = this.process(observer, target, grant);
    return { identity: found.session.identity, process: found.process };
  }

  /** Processes that are past, of sessions that the observer may see, or of one of them. */
  pastProcesses(observer: Observer, only: string | null): { process: PastProcess; identity: string }[] {
    return this.#options.past.list().flatMap((process) => {
      if (only !== null && process.session !== only) return [];
      const identity = this.#identities.get(process.session);
      return identity !== undefined && this.canSee(observer, { identity }) ? [{ process, identity }] : [];
    });
  }

  isThere(handle: string): boolean {
    return this.#options.sessions.byHandle(handle) !== undefined;
  }

  visible(observer: Observer): Session[] {
    return this.#options.sessions.list().filter((session) => this.canSee(observer, session));
  }

  canSee({ access }: Observer, session: { readonly identity: string }): boolean {
    return access.can('observe', session);
  }

  /** Which events of the journal an observer is shown. Sessions that are over are told from what is known of them. */
  isShown(observer: Observer, only?: string | null): (event: JournalEvent) => boolean {
    return (event) => {
      const session = 'session' in event ? event.session : undefined;
      if (only != null && session !== only) return false;
      if (session === undefined) return observer.access.seesServer;
      const identity = this.#identities.get(session);
      return identity !== undefined && this.canSee(observer, { identity });
    };
  }

  describe(session: Session): ObservedSession {
    const processes = session.processes.list();
    const isEnding = this.#options.sessions.isShuttingDown;
    const isAway = session.connection === undefined;
    return {
      session: session.handle,
      clientName: session.clientName,
      identity: session.identity,
      state: isEnding ? 'ending' : isAway ? 'away' : 'attached',
      openedAtMs: session.openedAtMs,
      sinceMs: session.sinceMs,
      ...(session.expiresAtMs === undefined ? {} : { expiresAtMs: session.expiresAtMs }),
      processes: processes.length,
      running: processes.filter(({ state }) => state === 'running').length,
      stalled: processes.filter(({ output }) => output.isStalled).length,
      observers: this.#watchersOf(session.handle),
    };
  }

  /** What is there, or the next thing that happens, or nothing in time. */
  readJournal(observer: Observer, request: JournalRequest): Promise<JournalReadResult> | JournalReadResult {
    const { maxEvents, waitMs, session } = request;
    const isWanted = this.isShown(observer, session);
    let page = this.journal.read(request.afterSeq, maxEvents, isWanted);
    if (page.events.length > 0 || page.omitted !== null) return page;
    return observer.journalChanges.wait({
      // What was looked at in vain is not looked at again: that would be the whole journal for each event.
      poll: () => {
        page = this.journal.read(page.nextSeq - 1, maxEvents, isWanted);
        return page.events.length > 0 || page.omitted !== null ? page : undefined;
      },
      onTimeout: () => page,
      timeoutMs: waitMs,
      signal: observer.signal,
    });
  }

  /** The owner is told how many watch, if it asked for that. */
  watchersChanged(handle: string): void {
    const connection = this.#options.sessions.byHandle(handle)?.connection;
    if (connection?.interventions !== true) return;
    connection.peer.notify('session/observed', { observers: this.#watchersOf(handle) });
  }

  /** Everything that an observer does is seen: in the journal, and by an owner that asked for it. */
  intervened(
    observer: Observer,
    { session, process }: { readonly session: Session; readonly process: ManagedProcess },
    what: Intervention,
    detail?: string,
  ): void {
    const { identity: by } = observer.access;
    this.journal.record({
      kind: 'intervention',
      session: session.handle,
      processId: process.id,
      what,
      by,
      observer: observer.id,
      ...(detail === undefined ? {} : { detail }),
    });
    const { connection } = session;
    if (connection?.interventions !== true) return;
    connection.peer.notify('session/intervention', { processId: process.id, what, by });
  }

  /** The same for keys, which come one by one. */
  typed(
    observer: Observer,
    target: { readonly session: Session; readonly process: ManagedProcess },
    bytes: number,
  ): void {
    const key = JSON.stringify([observer.id, target.session.handle, target.process.id]);
    this.#typing.typed(key, bytes, (count) =>
      this.intervened(observer, target, 'write', count === 1 ? '1 byte' : `${count} bytes`),
    );
  }

  #past(observer: Observer, target: ProcessTarget, grant: Grant): ObservedTarget | undefined {
    const process = this.#options.past.get(target.session, target.processId);
    const identity = this.#identities.get(target.session);
    if (process === undefined || identity === undefined || !this.canSee(observer, { identity }))
      return undefined;
    if (!observer.access.can(grant, { identity })) throw missing(grant, target.session);
    return { identity, process };
  }

  #deciders(session: { readonly identity: string }): Observer[] {
    return [...this.#observers].filter(({ access }) => access.can('approve', session));
  }

  #watchersOf(handle: string): number {
    return [...this.#observers].filter(({ watches }) =>
      watches.some(({ process }) => process.session === handle),
    ).length;
  }
}
