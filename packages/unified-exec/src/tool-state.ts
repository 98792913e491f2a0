// The state that both tools share: the sessions, the events, and the handling of a process once it runs.

import type { ExecServerClient, Outcome, PauseHolds, YieldResult } from '@codex/exec-client';
import type { EventHub } from './events/event-hub.js';
import { followProcess } from './events/follow-process.js';
import type { ApprovedAttempts, OpenedCommand } from './execution/approved-attempts.js';
import type { CallSignals } from './execution/call-signals.js';
import type { CommandRequest, RequestPlace } from './execution/command-request.js';
import { end, type LiveProcesses } from './execution/live-processes.js';
import type { Profile } from './limits.js';
import { Session, type SessionInfo } from './sessions/session.js';
import type { SessionStore } from './sessions/session-store.js';
import { ToolFailure } from './tool-error.js';
import type { OutputSettings } from './tool-output.js';

export interface ToolState {
  readonly client: ExecServerClient;
  readonly profile: Profile;
  readonly place: RequestPlace;
  readonly output: OutputSettings;
  readonly store: SessionStore;
  readonly hub: EventHub;
  readonly live: LiveProcesses;
  readonly attempts: ApprovedAttempts;
  readonly pause: PauseHolds;
  readonly onSessionEvicted: ((session: SessionInfo) => void) | undefined;
  readonly calls: CallSignals;
}

/** From here on the command has a number, and its events are told. */
export function follow(
  state: ToolState,
  { process, sandboxed, isOut }: OpenedCommand,
  { sessionId, request }: { readonly sessionId: number; readonly request: CommandRequest },
): Session {
  const { store, hub, profile } = state;
  const session = new Session({ sessionId, request, process, sandboxed, isOut });
  if (!session.hasEnded) store.add(session);
  session.followed = followProcess(hub, {
    process,
    callId: request.callId,
    sessionId,
    argv: request.argv,
    limits: profile,
    idle: () => session.idle(),
  });
  return session;
}

/** The call that started it is over: from now on it counts as a session. Returns those that made room for it. */
export function endFirstCall(state: ToolState, session: Session): readonly Session[] {
  session.isInFirstCall = false;
  const evicted = state.store.makeRoom();
  for (const each of evicted) tellEviction(state, each);
  return evicted;
}

function tellEviction({ hub, onSessionEvicted }: ToolState, session: Session): void {
  const { callId, sessionId } = session;
  hub.push({ type: 'sessionEvicted', callId, sessionId });
  void end(session.process);
  try {
    onSessionEvicted?.(session);
  } catch {
    // What an application does about it is its own matter, and none of the model's.
  }
}

/** A process whose connection is gone has no result that could be shown. */
export function outcomeOf(window: YieldResult, tool: string): Outcome | undefined {
  if (window.state === 'running') return undefined;
  const { outcome } = window;
  if (outcome.kind !== 'lost') return outcome;
  throw new ToolFailure(
    'tool.processLost',
    `${tool} failed: Unified exec process failed: ${outcome.error.message}`,
    { hint: 'The command may still be running; find out before it is started again.', cause: outcome.error },
  );
}
