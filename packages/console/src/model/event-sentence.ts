// An event of the journal as a sentence, and how much it matters.

import type { JournalEvent } from '@codex/exec-protocol';
import { formatDuration } from '../text/format.js';
import { commandTitle, safeText } from '../text/safe-text.js';

export interface EventText {
  readonly tone: 'plain' | 'good' | 'bad' | 'warn' | 'person';
  readonly text: string;
}

/** `titleOf` names the command of an event, where it is known. */
export function eventText(event: JournalEvent, titleOf: (event: JournalEvent) => string): EventText {
  const title = titleOf(event);
  switch (event.kind) {
    case 'sessionOpened':
      return { tone: 'plain', text: `${safeText(event.clientName)} came (${safeText(event.identity)})` };
    case 'sessionAway':
      return { tone: 'warn', text: 'connection lost; the session waits for its client' };
    case 'sessionResumed':
      return {
        tone: 'good',
        text: `${event.takenOver ? 'taken over' : 'back'} after ${formatDuration(event.awayMs)}`,
      };
    case 'sessionEnded':
      return { tone: 'plain', text: SESSION_ENDS[event.reason] };
    case 'processStarted':
      return { tone: 'plain', text: `▶ ${commandTitle(event.argv)}` };
    case 'processRefused':
      return { tone: 'bad', text: `not started: ${commandTitle(event.argv)} — ${safeText(event.reason)}` };
    case 'processExited':
      if (event.sandboxDenied) return { tone: 'warn', text: `${title} · denied by the sandbox` };
      return {
        tone: event.exitCode === 0 ? 'good' : 'bad',
        text: `${title} · exit ${event.exitCode} after ${formatDuration(event.durationMs)}`,
      };
    case 'processLost':
      return { tone: 'bad', text: `${title} · lost: ${safeText(event.reason)}` };
    case 'processClosed':
      return { tone: 'plain', text: `${title} · its output has ended` };
    case 'processGone':
      return { tone: 'plain', text: `${title} · nothing of its tree is left` };
    case 'processStalled':
      return { tone: 'warn', text: `${title} · stalled, its client does not read` };
    case 'processFlowing':
      return { tone: 'plain', text: `${title} · flows again` };
    case 'connectionRefused': {
      const who =
        event.times == null ? safeText(event.remoteAddress ?? 'a connection') : `${event.times} connections`;
      return { tone: 'bad', text: `refused ${who}: ${safeText(event.reason)}` };
    }
    case 'observerCame':
      return { tone: 'person', text: `${safeText(event.clientName)} watches (${event.grants.join(', ')})` };
    case 'observerLeft':
      return { tone: 'person', text: 'an observer left' };
    case 'intervention':
      return { tone: 'person', text: `${title} · ${interventionText(event)} by ${safeText(event.by)}` };
    case 'approvalAsked':
      return { tone: 'warn', text: `asks: ${safeText(event.title)}` };
    case 'approvalEnded':
      return {
        tone: 'person',
        text: `decided: ${safeText(event.decision)}${event.by ? ` by ${safeText(event.by)}` : ''}`,
      };
    case 'ticketCreated':
      return {
        tone: 'person',
        text: `a console ticket for ${safeText(event.by)} (${event.grants.join(', ')})`,
      };
    case 'ticketShared':
      return { tone: 'person', text: `another tab of the console was let in (${safeText(event.by)})` };
    case 'ticketSpent':
      return { tone: 'person', text: `a console ticket was used (${safeText(event.by)})` };
  }
}

function interventionText({ what, detail }: Extract<JournalEvent, { kind: 'intervention' }>): string {
  if (what === 'write') return `typed into (${safeText(detail ?? '')})`;
  return detail == null || what === 'resize' ? what : `${what} (${safeText(detail)})`;
}

/** Events that follow from others: left out where only what matters is told. */
export function isDetail({ kind }: JournalEvent): boolean {
  return kind === 'processClosed' || kind === 'processGone';
}

const SESSION_ENDS = {
  left: 'its client left',
  expired: 'its client did not come back in time',
  shutdown: 'ended with the server',
} as const;
