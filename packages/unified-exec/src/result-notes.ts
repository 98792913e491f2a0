// Adds notes to a result: that the sandbox denied something and what may be done about it, and other facts for the
// model. Codex says none of this, so its profile shows it to the program only.

import type { Outcome, YieldResult } from '@codex/exec-client';
import { asksForSandbox } from './approval/approval.js';
import type { Session } from './sessions/session.js';
import type { DenialAction, ToolOutput } from './tool-output.js';
import type { ToolState } from './tool-state.js';

type Denied = Extract<Outcome, { kind: 'denied' }>;

export interface DenialFacts {
  readonly state: ToolState;
  readonly session: Session;
  readonly outcome: Outcome | undefined;
  /** Somebody did not want it to run again. */
  readonly declined?: string | undefined;
  retry(denied: Denied): Promise<ToolOutput>;
}

export function denialOf(facts: DenialFacts): DenialAction | undefined {
  const { state, session, outcome, declined, retry } = facts;
  if (outcome?.kind !== 'denied') return undefined;
  const evidence = outcome.denial;
  if (declined !== undefined) return { evidence, declined };
  if (!session.sandboxed || session.request.escalated || !state.attempts.offersRetry) return { evidence };
  return {
    evidence,
    retry: () => {
      session.retried ??= retry(outcome);
      return session.retried;
    },
  };
}

export interface NoteFacts {
  readonly state: ToolState;
  /** Whose result it is. */
  readonly session: Session;
  readonly window: YieldResult;
  readonly denial: DenialAction | undefined;
  readonly evicted?: readonly Session[];
}

export function notesOf({ state, session, window, denial, evicted = [] }: NoteFacts): string[] {
  const notes = denial === undefined ? [] : [denialNote(state, denial)];
  if (window.state === 'finished' && window.outcome.kind === 'timedOut') {
    notes.push(
      `the command was stopped after ${window.outcome.timeoutMs / 1000} seconds, the most that one may take.`,
    );
  }
  for (const { sessionId } of evicted)
    notes.push(`session ${sessionId} was ended to make room for this one.`);
  if (window.state === 'finished' && window.pipesHeldOpen) {
    notes.push(
      'something that the command started still holds its output open; what it prints later is not shown.',
    );
  }
  const ended = state.profile.isCodex ? [] : newlyEnded(state, session);
  if (ended.length > 0) {
    const which = ended.map(({ sessionId }) => String(sessionId)).join(', ');
    notes.push(
      `ended meanwhile: session ${which}. write_stdin with empty chars shows the rest of its output.`,
    );
  }
  return notes;
}

/** Sessions that have ended without a call that saw it. Each is told of once. */
function newlyEnded({ store }: ToolState, own: Session): Session[] {
  const ended = store
    .all()
    .filter((session) => session !== own && session.hasEnded && !session.isInFirstCall && !session.isBusy)
    .filter((session) => !session.isToldAsEnded);
  for (const session of ended) session.isToldAsEnded = true;
  return ended;
}

function denialNote({ place }: ToolState, { declined }: DenialAction): string {
  if (declined !== undefined) {
    return `the sandbox denied this command, and it was not run again: ${declined}. Do not try to reach the same by other means.`;
  }
  const ask = asksForSandbox(place.policy)
    ? ' To ask for running it outside, call again with `sandbox_permissions: "require_escalated"` and a `justification`.'
    : '';
  return `the sandbox denied this command.${ask}`;
}
