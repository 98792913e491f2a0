// The tool `write_stdin`: input for a session, an interrupt, or only a look at it.

import { ExecServerError } from '@codex/exec-client';
import type { WriteStdinArgs } from './arguments/tool-arguments.js';
import { retry } from './exec-command.js';
import { writeYield } from './limits.js';
import { denialOf, notesOf } from './result-notes.js';
import type { Session } from './sessions/session.js';
import { WINDOW_BYTES } from './text/captured-text.js';
import { ToolFailure } from './tool-error.js';
import { type ToolOutput, windowOutput } from './tool-output.js';
import { outcomeOf, type ToolState } from './tool-state.js';

const INTERRUPT = '\u0003';

export async function writeStdin(
  state: ToolState,
  args: WriteStdinArgs,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const session = state.store.get(args.session_id);
  if (session === undefined) throw unknownSession(state, args.session_id);
  state.store.use(session);
  const { chars = '' } = args;
  const isInterrupt = chars === INTERRUPT && !session.tty;
  // Nobody is asked about input that a command without a terminal cannot take; Codex does.
  const mayTake = session.tty || state.profile.isCodex;
  if (session.isOut && mayTake && chars !== '' && !isInterrupt) {
    const request = { ...session.request, signal };
    await state.attempts.admitInput(request, { sessionId: session.sessionId, chars });
  }
  const output = await session.takeTurn(() => interact(state, session, { args, signal }), signal);
  if (output.structured.session_id === undefined) await session.followed;
  return output;
}

interface Interaction {
  readonly args: WriteStdinArgs;
  readonly signal: AbortSignal;
}

async function interact(
  state: ToolState,
  session: Session,
  { args, signal }: Interaction,
): Promise<ToolOutput> {
  const { profile, pause, store, hub } = state;
  const { sessionId, callId, process } = session;
  const { chars = '' } = args;
  // Another call may have seen its end while this one waited for its turn.
  if (store.get(sessionId) !== session && !session.hasEnded) throw unknownSession(state, sessionId);
  const yieldMs = writeYield(args.yield_time_ms, chars === '', profile);
  if (chars !== '') await send(session, chars, { withinMs: yieldMs, settleMs: profile.settleMs, signal });
  const window = await process.yieldWindow({
    ms: yieldMs,
    drainMs: profile.drainMs,
    maxBytes: WINDOW_BYTES,
    pause,
    signal,
  });
  const isRunning = window.state === 'running';
  if (!isRunning) store.release(sessionId);
  const outcome = outcomeOf(window, 'write_stdin');
  if (chars !== '' || isRunning) hub.push({ type: 'interaction', callId, sessionId, stdin: chars });
  const denial = denialOf({
    state,
    session,
    outcome,
    retry: (denied) => retry(state, session.request, { denied, args: {} }),
  });
  const notes = notesOf({ state, session, window, denial });
  const facts = {
    window,
    wallMs: window.wallMs,
    sessionId,
    maxTokens: args.max_output_tokens,
    notes,
    denial,
  };
  return windowOutput(facts, state.output);
}

interface Sending {
  readonly withinMs: number;
  readonly settleMs: number;
  readonly signal: AbortSignal;
}

async function send(session: Session, chars: string, { withinMs, settleMs, signal }: Sending): Promise<void> {
  const { process, tty } = session;
  if (!tty && chars !== INTERRUPT) throw stdinClosed();
  const sent = tty ? process.stdin.write(chars) : process.interrupt();
  sent.catch(() => undefined);
  try {
    // A program that does not read takes only so much, and a server may be out of reach: the rest follows while the model
    // looks on.
    await settledWithin(sent, withinMs, signal);
  } catch (error) {
    reportUnlessEnded(session, error);
    return;
  }
  if (tty) await settledWithin(new Promise(() => undefined), settleMs, signal);
}

/** Input that came too late for a process is no failure: the window shows its end. */
function reportUnlessEnded(session: Session, error: unknown): void {
  if (session.hasEnded) return;
  const isGone =
    ExecServerError.is(error, 'process.stdinClosed') || ExecServerError.is(error, 'process.unknown');
  // The server knows of the end before the news of it have arrived; the window waits for them.
  if (isGone) return;
  throw new ToolFailure('tool.stdinFailed', 'write_stdin failed: failed to write to stdin', {
    hint: 'Poll the session with empty `chars` to see how it stands.',
    cause: error,
  });
}

function stdinClosed(): ToolFailure {
  return new ToolFailure(
    'tool.stdinClosed',
    'write_stdin failed: stdin is closed for this session; rerun exec_command with tty=true to keep stdin open',
    { hint: 'Only "\\u0003", the interrupt, is taken by a session without a terminal.' },
  );
}

function unknownSession({ store }: ToolState, id: number): ToolFailure {
  const why = store.wasEvicted(id)
    ? 'The session was ended to make room for others; start the command again.'
    : 'The session has ended and its output was given, or it never was; start the command again.';
  return new ToolFailure('tool.sessionUnknown', `write_stdin failed: Unknown process id ${id}`, {
    hint: why,
  });
}

/** Resolves with the promise, or without it when the time is up or the call is given up; rejects as it does. */
async function settledWithin(promise: Promise<unknown>, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let stop = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    const giveUp = (): void => resolve();
    const timer = setTimeout(giveUp, ms);
    signal.addEventListener('abort', giveUp, { once: true });
    stop = () => {
      // Otherwise it would keep a program alive that has nothing left to do.
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    };
  });
  try {
    await Promise.race([promise, late]);
  } finally {
    stop();
  }
}
