// The life of a session on one line: when a client was there, when it was away. Pure.

import type { JournalEvent } from '@codex/exec-protocol';
import type { SessionRow } from './world.js';

export interface LifeSegment {
  readonly state: 'attached' | 'away';
  readonly fromMs: number;
  readonly toMs: number;
  /** A client took the session from another one that still held it. */
  readonly isTakenOver: boolean;
}

export interface SessionLife {
  readonly segments: readonly LifeSegment[];
  readonly endedAtMs: number | undefined;
}

type OfSession = Extract<JournalEvent, { session: string }>;

export function sessionLife(
  events: readonly JournalEvent[],
  session: SessionRow,
  nowMs: number,
): SessionLife {
  const segments: LifeSegment[] = [];
  let open: Omit<LifeSegment, 'toMs'> = {
    state: 'attached',
    fromMs: session.openedAtMs,
    isTakenOver: false,
  };
  const begin = (next: Omit<LifeSegment, 'toMs'>): void => {
    if (next.fromMs > open.fromMs) segments.push({ ...open, toMs: next.fromMs });
    open = next;
  };
  for (const event of events) {
    if (!isOf(event, session.session)) continue;
    const { atMs: fromMs } = event;
    if (event.kind === 'sessionAway') begin({ state: 'away', fromMs, isTakenOver: false });
    else if (event.kind === 'sessionResumed')
      begin({ state: 'attached', fromMs, isTakenOver: event.takenOver });
    else if (event.kind === 'sessionEnded') {
      segments.push({ ...open, toMs: Math.max(open.fromMs, fromMs) });
      return { segments, endedAtMs: fromMs };
    }
  }
  // The journal no longer tells of its end, or it has none yet.
  const isOver = session.state === 'ended';
  segments.push({
    ...open,
    toMs: isOver ? Math.max(open.fromMs, session.sinceMs) : Math.max(open.fromMs, nowMs),
  });
  return { segments, endedAtMs: isOver ? session.sinceMs : undefined };
}

function isOf(event: JournalEvent, session: string): event is OfSession {
  return 'session' in event && event.session === session;
}
