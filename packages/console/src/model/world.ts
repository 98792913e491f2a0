// Everything the page knows of the server: sessions, processes, the journal, approvals. Each process is a signal of its
// own, so that one change in a list of thousands draws one row.

import type { Approval, JournalEvent, ObservedProcess, ObservedSession } from '@codex/exec-protocol';
import { batch, type Signal, signal } from '@preact/signals';
import {
  changeOf,
  isSuccessor,
  type ProcessRow,
  processKey,
  rowOfStart,
  rowOfSummary,
} from './process-row.js';

export interface SessionRow extends Omit<ObservedSession, 'state'> {
  readonly state: ObservedSession['state'] | 'ended';
}

const MAX_EVENTS = 5000;
const MAX_PROCESSES = 20_000;
/** Of those that are over. A server that runs for weeks has had more than a user looks for here. */
const MAX_ENDED_SESSIONS = 500;
const MAX_DECIDED = 200;
/** How often views of everything are drawn anew at most. */
const PULSE_MS = 150;

export class World {
  readonly sessions = signal<ReadonlyMap<string, SessionRow>>(new Map());
  /** In order of start. */
  readonly processes = signal<ReadonlyMap<string, Signal<ProcessRow>>>(new Map());
  readonly events = signal<readonly JournalEvent[]>([]);
  readonly approvals = signal<ReadonlyMap<string, Approval>>(new Map());
  readonly omittedEvents = signal(0);
  /** Beats a few times a second while anything changes: for views of everything, which would be drawn a thousand times. */
  readonly pulse = signal(0);
  lastEventSeq = 0;
  #isBeating = false;

  process(session: string, processId: string): Signal<ProcessRow> | undefined {
    return this.processes.value.get(processKey(session, processId));
  }

  /**
   * What the server says there is. Processes that only the journal remembers stay. A long list is made in parts: what happened
   * meanwhile, since the event `sinceSeq`, goes before it.
   */
  takeSnapshot(
    sessions: readonly ObservedSession[],
    processes: readonly ObservedProcess[],
    { nowMs, sinceSeq }: { readonly nowMs: number; readonly sinceSeq: number },
  ): void {
    const meanwhile = this.events.peek().filter(({ seq }) => seq > sinceSeq);
    batch(() => {
      const known = new Map<string, SessionRow>();
      for (const [handle, row] of this.sessions.value)
        known.set(handle, { ...row, state: 'ended', running: 0, stalled: 0 });
      for (const session of sessions) known.set(session.session, session);
      for (const { session, process, past } of processes) {
        if (past == null || known.has(session)) continue;
        known.set(session, { ...newSession(session, process.startedAtMs ?? nowMs), ...past, state: 'ended' });
      }
      this.sessions.value = known;
      const present = new Set(
        meanwhile.filter(isStart).map(({ session, processId }) => processKey(session, processId)),
      );
      this.#changeProcesses((rows) => {
        for (const { session, process } of processes) {
          const row = rowOfSummary(session, process, nowMs);
          present.add(row.key);
          const known = rows.get(row.key);
          if (known === undefined) rows.set(row.key, signal(row));
          else if (isSuccessor(row, known.peek())) succeed(rows, row);
          else known.value = { ...row, predecessors: known.peek().predecessors };
        }
        for (const row of rows.values()) if (!present.has(row.peek().key)) settle(row);
      });
      for (const event of meanwhile) {
        changeRow(this.processes.peek(), event);
        this.#applyToSession(event);
      }
    });
  }

  takeEvents(events: readonly JournalEvent[], omitted: number): void {
    const fresh = events.filter(({ seq }) => seq > this.lastEventSeq);
    if (fresh.length === 0 && omitted === 0) return;
    batch(() => {
      this.omittedEvents.value += omitted;
      this.lastEventSeq = Math.max(this.lastEventSeq, ...fresh.slice(-1).map(({ seq }) => seq));
      this.events.value = [...this.events.value, ...fresh].slice(-MAX_EVENTS);
      if (fresh.some(isStart))
        this.#changeProcesses((rows) => {
          for (const event of fresh) {
            if (isStart(event)) addStarted(rows, rowOfStart(event));
            else changeRow(rows, event);
          }
        });
      else for (const event of fresh) changeRow(this.processes.peek(), event);
      for (const event of fresh) this.#applyToSession(event);
    });
    this.changed();
  }

  /** Something is to be seen that may concern any view of everything. */
  changed(): void {
    if (this.#isBeating) return;
    this.#isBeating = true;
    this.pulse.value++;
    setTimeout(() => {
      this.#isBeating = false;
      this.pulse.value++;
    }, PULSE_MS);
  }

  /** All that there are: of others that were open nothing is to be decided any more. */
  takeApprovals(approvals: readonly Approval[]): void {
    const decided = [...this.approvals.peek()].filter(([, { outcome }]) => outcome);
    this.approvals.value = new Map(decided);
    for (const approval of approvals) this.takeApproval(approval);
  }

  takeApproval(approval: Approval): void {
    const approvals = new Map(this.approvals.value);
    approvals.set(processKey(approval.session, approval.approval), approval);
    const decided = [...approvals].filter(([, { outcome }]) => outcome);
    for (const [key] of decided.slice(0, Math.max(0, decided.length - MAX_DECIDED))) approvals.delete(key);
    this.approvals.value = approvals;
  }

  #applyToSession(event: JournalEvent): void {
    const change = sessionChange(event);
    if (change === undefined || !('session' in event)) return;
    const sessions = new Map(this.sessions.value);
    const session = sessions.get(event.session) ?? newSession(event.session, event.atMs);
    sessions.set(event.session, { ...session, sinceMs: event.atMs, ...change });
    if (event.kind === 'sessionEnded') forgetOldest(sessions);
    this.sessions.value = sessions;
    if (event.kind === 'sessionEnded')
      for (const row of this.processes.peek().values()) if (row.peek().session === event.session) settle(row);
  }

  #changeProcesses(change: (rows: Map<string, Signal<ProcessRow>>) => void): void {
    const rows = new Map(this.processes.peek());
    change(rows);
    for (const [key, row] of rows) {
      if (rows.size <= MAX_PROCESSES) break;
      if (!row.peek().alive) rows.delete(key);
    }
    this.processes.value = rows;
    this.changed();
  }
}

type Start = Extract<JournalEvent, { kind: 'processStarted' | 'processRefused' }>;

function isStart(event: JournalEvent): event is Start {
  return event.kind === 'processStarted' || event.kind === 'processRefused';
}

function addStarted(rows: Map<string, Signal<ProcessRow>>, row: ProcessRow): void {
  const known = rows.get(row.key);
  if (known === undefined) rows.set(row.key, signal(row));
  else if (isSuccessor(row, known.peek())) succeed(rows, row);
}

function changeRow(rows: ReadonlyMap<string, Signal<ProcessRow>>, event: JournalEvent): void {
  if (!('processId' in event)) return;
  const row = rows.get(processKey(event.session, event.processId));
  const change = changeOf(event);
  if (row !== undefined && change !== undefined) row.value = { ...row.peek(), ...change };
}

/** Another process has the id: it stands where the newest do. */
function succeed(rows: Map<string, Signal<ProcessRow>>, row: ProcessRow): void {
  const known = rows.get(row.key);
  const next = { ...row, predecessors: (known?.peek().predecessors ?? 0) + 1 };
  rows.delete(row.key);
  if (known === undefined) rows.set(row.key, signal(next));
  else {
    known.value = next;
    rows.set(row.key, known);
  }
}

function forgetOldest(sessions: Map<string, SessionRow>): void {
  const ended = [...sessions.values()].filter(({ state }) => state === 'ended');
  for (const { session } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED_SESSIONS)))
    sessions.delete(session);
}

/** The server no longer has it: whatever it was doing, it is over. */
function settle(row: Signal<ProcessRow>): void {
  const value = row.peek();
  if (!value.alive && value.state !== 'running' && value.state !== 'exited') return;
  const isOver = value.state === 'running' || value.state === 'starting';
  row.value = {
    ...value,
    alive: false,
    stalled: false,
    state: isOver ? 'lost' : 'closed',
    ...(isOver ? { reason: 'its session ended', endedAtMs: value.endedAtMs ?? Date.now() } : {}),
  };
}

function newSession(session: string, atMs: number): SessionRow {
  const none = { processes: 0, running: 0, stalled: 0, observers: 0 };
  return {
    session,
    clientName: '',
    identity: '',
    state: 'attached',
    openedAtMs: atMs,
    sinceMs: atMs,
    ...none,
  };
}

function sessionChange(event: JournalEvent): Partial<SessionRow> | undefined {
  if (event.kind === 'sessionOpened') {
    const { clientName, identity, atMs } = event;
    return { state: 'attached', clientName, identity, openedAtMs: atMs };
  }
  if (event.kind === 'sessionAway') return { state: 'away', expiresAtMs: event.expiresAtMs };
  if (event.kind === 'sessionResumed') return { state: 'attached', clientName: event.clientName };
  return event.kind === 'sessionEnded' ? { state: 'ended' } : undefined;
}
