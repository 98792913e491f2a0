// The tool calls of one connection, in the era that the client opened it with.

import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { callResult } from './call-result.js';
import type { Answer, JsonObject, McpTool, ProtocolEra, Question, ToolContext } from './description.js';
import { askByRequest, canElicit, formOf } from './elicitation.js';
import { callDigest, ParkedRuns } from './parked-runs.js';
import { answerFrom, ToolRun } from './tool-run.js';

export class ToolCalls {
  readonly #tools: ReadonlyMap<string, McpTool>;
  readonly #server: Server;
  readonly #era: ProtocolEra;
  readonly #parked = new ParkedRuns();
  readonly #running = new Map<ToolRun, Promise<unknown>>();

  constructor(server: Server, tools: readonly McpTool[], era: ProtocolEra) {
    this.#server = server;
    this.#era = era;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  async call(
    { params }: CallToolRequest,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const tool = this.#tools.get(params.name);
    if (tool === undefined) throw invalid(`unknown tool: ${params.name}`);
    const args = params.arguments ?? {};
    const digest = callDigest(tool.name, args);
    const state = context.mcpReq.requestState();
    const run = state === undefined ? this.#start(tool, args, context) : this.#resume(state, digest, context);
    await this.#attend(run, context);
    if (run.outcome !== undefined) return callResult(run.outcome);
    // The SDK does not answer a call that was cancelled; this never leaves the process.
    if (run.signal.aborted)
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'the call was cancelled');
    return inputRequired({
      inputRequests: inputRequests(run.openQuestions),
      requestState: this.#parked.park(run, digest),
    });
  }

  /** Aborts every run, parked ones too, and resolves when all have ended. */
  async close(): Promise<void> {
    const ends = [...this.#running.values()];
    for (const run of this.#running.keys()) run.abort('the connection ended');
    await Promise.all(ends);
  }

  #start(tool: McpTool, args: JsonObject, context: ServerContext): ToolRun {
    const run = new ToolRun();
    const ended = run.follow(() => tool.handler(args, this.#contextOf(run, context)));
    this.#running.set(run, ended);
    void ended.then(() => this.#running.delete(run));
    return run;
  }

  #resume(state: unknown, digest: string, { mcpReq }: ServerContext): ToolRun {
    const run = typeof state === 'string' ? this.#parked.take(state, digest) : undefined;
    if (run === undefined) {
      throw invalid(
        'invalid requestState: it was used before, has expired, or belongs to another call; repeat the call without it',
      );
    }
    for (const [key, response] of Object.entries(mcpReq.inputResponses ?? {})) {
      run.answer(key, answerFrom(response));
    }
    return run;
  }

  /** While a request waits for the run, its cancellation aborts the run and its progress goes there. */
  async #attend(run: ToolRun, { mcpReq }: ServerContext): Promise<void> {
    const cancel = (): void => run.abort(mcpReq.signal.reason);
    if (mcpReq.signal.aborted) cancel();
    mcpReq.signal.addEventListener('abort', cancel);
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      run.progress.attach((progress, message) => {
        const params = { progressToken, progress, message };
        mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
      });
    }
    await run.settledOrAsking();
    run.progress.attach(undefined);
    mcpReq.signal.removeEventListener('abort', cancel);
  }

  #contextOf(run: ToolRun, { mcpReq }: ServerContext): ToolContext {
    const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
    const capabilities =
      this.#era === 'stateless'
        ? (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined)
        : this.#server.getClientCapabilities();
    const canAsk = canElicit(capabilities);
    const ask = (question: Question, signal?: AbortSignal): Promise<Answer> => {
      if (!canAsk) return Promise.resolve({ action: 'unavailable' });
      const either = signal === undefined ? run.signal : AbortSignal.any([run.signal, signal]);
      return this.#era === 'stateless'
        ? run.hold(question, either)
        : askByRequest(this.#server, question, either);
    };
    return {
      signal: run.signal,
      protocolEra: this.#era,
      canAsk,
      meta: mcpReq._meta ?? {},
      progress: (message) => run.progress.report(message),
      ask,
    };
  }
}

function inputRequests(questions: ReadonlyMap<string, Question>): InputRequests {
  return Object.fromEntries(
    [...questions].map(([key, question]) => [key, inputRequired.elicit(formOf(question))]),
  );
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
