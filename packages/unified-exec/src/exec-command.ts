// The tool `exec_command`: from its arguments to what its first window shows.

import type { YieldResult } from '@codex/exec-client';
import { applyPatch } from './apply-patch.js';
import type { ExecCommandArgs } from './arguments/tool-arguments.js';
import { type OpenedCommand, RetryDeclined } from './execution/approved-attempts.js';
import {
  type CallIdentity,
  type CommandRequest,
  commandRequest,
  joinedPath,
} from './execution/command-request.js';
import { execYield } from './limits.js';
import { patchCommand } from './patch/patch-command.js';
import { denialOf, notesOf } from './result-notes.js';
import type { Session } from './sessions/session.js';
import { WINDOW_BYTES } from './text/captured-text.js';
import { asToolFailure } from './tool-error.js';
import { failureOutput, type ToolOutput, windowOutput } from './tool-output.js';
import { endFirstCall, follow, outcomeOf, type ToolState } from './tool-state.js';

type Windowing = Pick<ExecCommandArgs, 'yield_time_ms' | 'max_output_tokens'>;

export async function execCommand(
  state: ToolState,
  args: ExecCommandArgs,
  call: CallIdentity,
): Promise<ToolOutput> {
  const { earlyExitMs } = state.profile;
  const early = Math.min(earlyExitMs, execYield(args.yield_time_ms, state.profile));
  const request = { ...commandRequest(args, state.place, call), earlyExitMs: early };
  const { patch, folder } = patchCommand(args.cmd) ?? {};
  if (patch !== undefined) {
    return applyPatch(state, request, { patch, cwd: joinedPath(request.cwd, folder) });
  }
  return run(state, request, { args, open: () => state.attempts.open(request) });
}

interface Run {
  readonly args: Windowing;
  open(): Promise<OpenedCommand>;
}

async function run(state: ToolState, request: CommandRequest, { args, open }: Run): Promise<ToolOutput> {
  const { store } = state;
  const sessionId = store.reserve();
  try {
    return await observe(state, await open(), { sessionId, request, args });
  } catch (error) {
    if (error instanceof RetryDeclined) return afterDecline(state, error, { sessionId, request, args });
    store.release(sessionId);
    throw error;
  }
}

/** What ran in the sandbox has its events in any case. Codex shows nothing of it to the model; otherwise it is shown. */
async function afterDecline(state: ToolState, declined: RetryDeclined, run: Observed): Promise<ToolOutput> {
  const { sessionId, request } = run;
  if (!state.profile.isCodex && declined.code === 'tool.rejected') {
    return observe(state, declined.denied, { ...run, declined: withoutTool(declined.message) });
  }
  state.store.release(sessionId);
  await follow(state, declined.denied, { sessionId, request }).followed;
  throw declined;
}

function withoutTool(message: string): string {
  return message.replace(/^exec_command failed: /, '');
}

interface Observed {
  readonly sessionId: number;
  readonly request: CommandRequest;
  readonly args: Windowing;
  /** Why somebody did not want the command to run again outside of its sandbox. */
  readonly declined?: string;
}

async function observe(
  state: ToolState,
  opened: OpenedCommand,
  { sessionId, request, args, declined }: Observed,
): Promise<ToolOutput> {
  const { profile } = state;
  const { process, deniedEarly } = opened;
  const session = follow(state, opened, { sessionId, request });
  const spentMs = Date.now() - process.startedAt.getTime();
  const { window, evicted } = await firstWindow(state, session, { args, spentMs });
  const outcome = outcomeOf(window, 'exec_command');
  if (outcome !== undefined) await session.followed;
  const denial = denialOf({
    state,
    session,
    outcome,
    declined,
    retry: (denied) => retry(state, session.request, { denied, args }),
  });
  const wallMs = profile.isCodex ? (deniedEarly ? 0 : window.wallMs) : spentMs + window.wallMs;
  const notes = notesOf({ state, session, window, denial, evicted });
  const maxTokens = args.max_output_tokens;
  return windowOutput({ window, wallMs, sessionId, maxTokens, notes, denial }, state.output);
}

async function firstWindow(
  state: ToolState,
  session: Session,
  { args, spentMs }: { readonly args: Windowing; readonly spentMs: number },
): Promise<{ readonly window: YieldResult; readonly evicted: readonly Session[] }> {
  const { profile, pause } = state;
  const yieldMs = execYield(args.yield_time_ms, profile);
  const window = await session.process.yieldWindow({
    // In Codex the moment in which a denial is waited for comes on top; while clocks are stopped it does not count.
    ms: profile.isCodex || pause.paused ? yieldMs : Math.max(0, yieldMs - spentMs),
    drainMs: profile.drainMs,
    maxBytes: WINDOW_BYTES,
    pause,
    signal: session.request.signal,
  });
  if (window.state === 'finished') state.store.release(session.sessionId);
  return { window, evicted: endFirstCall(state, session) };
}

interface Retry {
  readonly denied: Parameters<ToolState['attempts']['retry']>[1];
  readonly args: Windowing;
}

/**
 * Another run of a denied command, without its sandbox; a call of its own as far as events are concerned. Never rejects: a
 * declined retry is an output with `isError`.
 */
export async function retry(
  state: ToolState,
  denied: CommandRequest,
  { denied: outcome, args }: Retry,
): Promise<ToolOutput> {
  const call = state.calls.open();
  const callId = `${denied.callId}/retry`;
  const request = { ...denied, callId, signal: call.signal };
  const open = (): Promise<OpenedCommand> => state.attempts.retry(request, outcome);
  try {
    return await run(state, request, { args, open });
  } catch (error) {
    const failure = asToolFailure(error, 'exec_command');
    const { code, message } = failure;
    state.hub.push({ type: 'rejected', callId, code, message });
    return failureOutput(failure, state.profile);
  } finally {
    call.release();
  }
}
