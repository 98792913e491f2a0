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
  retry(denied: Denied): Promise<ToolOutput>;
}

export function denialOf({ state, session, outcome, retry }: DenialFacts): DenialAction | undefined {
  if (outcome?.kind !== 'denied') return undefined;
  const evidence = outcome.denial;
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
  readonly window: YieldResult;
  readonly denial: DenialAction | undefined;
  readonly evicted?: readonly Session[];
}

export function notesOf({ state, window, denial, evicted = [] }: NoteFacts): string[] {
  const notes: string[] = [];
  if (denial !== undefined) {
    const ask = asksForSandbox(state.place.policy)
      ? ' To ask for running it outside, call again with `sandbox_permissions: "require_escalated"` and a `justification`.'
      : '';
    notes.push(`the sandbox denied this command.${ask}`);
  }
  for (const { sessionId } of evicted)
    notes.push(`session ${sessionId} was ended to make room for this one.`);
  if (window.state === 'finished' && window.pipesHeldOpen) {
    notes.push(
      'something that the command started still holds its output open; what it prints later is not shown.',
    );
  }
  return notes;
}
