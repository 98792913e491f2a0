// The tools of a model on one exec-server. Nothing that a model says makes a method throw: the answer says what was wrong.

import type { ExecServerClient, PauseGate } from '@codex/exec-client';
import { applyPatch } from './apply-patch.js';
import { asksForSandbox } from './approval/approval.js';
import {
  applyPatchArgs,
  type ExecCommandArgs,
  execCommandArgs,
  parseArguments,
  type WriteStdinArgs,
  writeStdinArgs,
} from './arguments/tool-arguments.js';
import { createState } from './create-state.js';
import type { UnifiedExecEvent } from './events/unified-exec-event.js';
import { execCommand } from './exec-command.js';
import { patchRequest } from './execution/command-request.js';
import { end } from './execution/live-processes.js';
import { within } from './execution/within.js';
import type { CallContext, UnifiedExecOptions } from './options.js';
import type { SessionInfo } from './sessions/session.js';
import { asToolFailure, ToolFailure } from './tool-error.js';
import { failureOutput, type ToolOutput } from './tool-output.js';
import type { ToolState } from './tool-state.js';
import { type ToolDialects, toolDialects } from './tools/tool-definitions.js';
import { writeStdin } from './write-stdin.js';

/** Stops the clocks of all windows while at least one hold is on it. */
export interface Pause extends PauseGate {
  hold(): Disposable;
}

/** How long the end of everything may take. */
const DISPOSE_MS = 10_000;

type Work = (signal: AbortSignal) => Promise<ToolOutput>;

export class UnifiedExec implements AsyncDisposable {
  /** The definitions of the tools, for the model's API. */
  readonly tools: ToolDialects;
  readonly pause: Pause;
  readonly #state: ToolState;
  readonly #calls = new Set<Promise<unknown>>();
  #disposed: Promise<void> | undefined;

  constructor(client: ExecServerClient, options: UnifiedExecOptions = {}) {
    const state = createState(client, options);
    this.#state = state;
    const { profile, pause, place } = state;
    this.tools = toolDialects({
      limits: profile,
      shell: client.info.shell.name,
      allowLogin: place.allowLogin,
      mayEscalate: asksForSandbox(place.policy),
      applyPatchTool: options.applyPatchTool ?? false,
    });
    this.pause = {
      get paused() {
        return pause.paused;
      },
      onChange: (listener) => pause.onChange(listener),
      hold: () => ({ [Symbol.dispose]: pause.hold() }),
    };
  }

  /** Never rejects: a failure is an output with `isError`. */
  execCommand(args: ExecCommandArgs, context: CallContext = {}): Promise<ToolOutput> {
    return this.#exec(() => args, context);
  }

  /** Never rejects: a failure is an output with `isError`. */
  writeStdin(args: WriteStdinArgs, context: CallContext = {}): Promise<ToolOutput> {
    return this.#write(() => args, context);
  }

  /** A patch in the format of Codex, as `exec_command` takes it behind `apply_patch <<'EOF'`. Never rejects. */
  applyPatch(patch: string, context: CallContext = {}): Promise<ToolOutput> {
    return this.#patch(() => ({ patch }), context);
  }

  /**
   * A tool call as the model wrote it: the name of the tool and its arguments, as JSON or as the object that some APIs make of
   * it. Never rejects.
   */
  dispatch(name: string, args: string | object, context: CallContext = {}): Promise<ToolOutput> {
    const names = this.tools.mcp().map((tool) => tool.name);
    switch (names.includes(name) ? name : undefined) {
      case 'exec_command':
        return this.#exec(() => parseArguments(args), context);
      case 'write_stdin':
        return this.#write(() => parseArguments(args), context);
      case 'apply_patch':
        return this.#patch(() => parseArguments(args), context);
      default:
        return this.#answer(
          name,
          () => {
            const hint = `The tools are ${names.join(', ')}.`;
            throw new ToolFailure('tool.unknown', `unsupported call: ${name}`, { hint });
          },
          context,
        );
    }
  }

  /** From now on, for any number of readers. Leaving the loop touches nothing. */
  events(options: { readonly signal?: AbortSignal } = {}): AsyncIterableIterator<UnifiedExecEvent> {
    return this.#state.hub.events(options);
  }

  /** The commands that still run, by number. */
  sessions(): readonly SessionInfo[] {
    return this.#state.store.all().filter(({ hasEnded }) => !hasEnded);
  }

  /** Kills a session. A call that waits for it reports its end; otherwise its number is forgotten. */
  async terminate(sessionId: number): Promise<boolean> {
    const { store } = this.#state;
    const session = store.get(sessionId);
    if (session === undefined) return false;
    const wasRunning = await end(session.process);
    store.release(sessionId);
    return wasRunning;
  }

  /** Resolves with the number of sessions that were ended. */
  async terminateAll(): Promise<number> {
    const ended = await Promise.all(this.sessions().map(({ sessionId }) => this.terminate(sessionId)));
    return ended.filter(Boolean).length;
  }

  /** Ends every command that it started, also those whose start is still on its way. The client stays open. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }

  async #dispose(): Promise<void> {
    const { hub, store, calls } = this.#state;
    calls.abortAll();
    // A server that is out of reach says nothing of the end; there the session ends by itself.
    await within(this.#endAll(), DISPOSE_MS);
    for (const { sessionId } of store.all()) store.release(sessionId);
    hub.close();
  }

  async #endAll(): Promise<void> {
    const { live, store } = this.#state;
    await live.endAll();
    await Promise.allSettled([...this.#calls]);
    // What a call started in its last moment.
    await live.endAll();
    await Promise.all(store.all().map(({ followed }) => followed));
  }

  #exec(args: () => unknown, context: CallContext): Promise<ToolOutput> {
    const callId = context.callId ?? crypto.randomUUID();
    return this.#answer(
      'exec_command',
      (signal) => execCommand(this.#state, execCommandArgs(args()), { callId, signal }),
      context,
      this.#tellRejected(callId),
    );
  }

  #patch(args: () => unknown, context: CallContext): Promise<ToolOutput> {
    const callId = context.callId ?? crypto.randomUUID();
    const work: Work = async (signal) => {
      const { patch } = applyPatchArgs(args());
      const request = { ...patchRequest(patch, this.#state.place, { callId, signal }), earlyExitMs: 0 };
      return applyPatch(this.#state, request, { patch, cwd: request.cwd });
    };
    return this.#answer('apply_patch', work, context, this.#tellRejected(callId));
  }

  #tellRejected(callId: string): (failure: ToolFailure) => void {
    return ({ code, message }) => this.#state.hub.push({ type: 'rejected', callId, code, message });
  }

  #write(args: () => unknown, context: CallContext): Promise<ToolOutput> {
    const work: Work = (signal) => writeStdin(this.#state, writeStdinArgs(args()), signal);
    return this.#answer('write_stdin', work, context);
  }

  async #answer(
    tool: string,
    work: Work,
    { signal }: CallContext,
    failed: (failure: ToolFailure) => void = () => undefined,
  ): Promise<ToolOutput> {
    const opened = this.#state.calls.open(signal);
    const call = this.#guarded(tool, () => work(opened.signal));
    this.#calls.add(call);
    try {
      return await call;
    } catch (error) {
      const failure = asToolFailure(error, tool);
      failed(failure);
      return failureOutput(failure, this.#state.profile);
    } finally {
      opened.release();
      this.#calls.delete(call);
    }
  }

  async #guarded(tool: string, work: () => Promise<ToolOutput>): Promise<ToolOutput> {
    if (this.#disposed !== undefined) {
      const hint = 'No more commands can be run in this conversation.';
      throw new ToolFailure('tool.disposed', `${tool} failed: the terminal was closed`, { hint });
    }
    return work();
  }
}
