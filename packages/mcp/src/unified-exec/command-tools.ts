// `exec_command`, `write_stdin`, `list_sessions` and `apply_patch` as MCP tools.

import { randomUUID } from 'node:crypto';
import type { ApprovalDecision, ApprovalRequest, ToolOutput, UnifiedExec } from '@codex/unified-exec';
import type { JsonObject, McpTool, ToolContext, ToolResult } from '../server/description.js';
import { InvalidCallError } from '../server/invalid-call-error.js';
import { approvalQuestion, decisionFrom, whyNotAsked } from './approval-question.js';
import { CallProgress } from './call-progress.js';
import { OUTPUT_SCHEMA, PATCH_SCHEMA, SESSIONS_SCHEMA } from './output-schemas.js';

/** Questions about a command go to a call that waits for it. */
export class CallContexts {
  readonly #contexts = new Map<string, Set<ToolContext>>();

  readonly approve = async (request: ApprovalRequest): Promise<ApprovalDecision> => {
    const message = whyNotAsked(request);
    if (message !== undefined) return { allow: false, message };
    // A retry that follows a call has the id of that call in front.
    const [callId = ''] = request.callId.split('/');
    const context = [...(this.#contexts.get(callId) ?? [])].at(-1);
    return decisionFrom(await (context?.ask(approvalQuestion(request)) ?? { action: 'withdrawn' }));
  };

  /** Several calls may wait for one command. */
  async during<T>(callId: string, context: ToolContext, work: () => Promise<T>): Promise<T> {
    const contexts = this.#contexts.get(callId) ?? new Set();
    this.#contexts.set(callId, contexts.add(context));
    try {
      return await work();
    } finally {
      contexts.delete(context);
      if (contexts.size === 0) this.#contexts.delete(callId);
    }
  }
}

export interface CommandToolParts {
  readonly exec: UnifiedExec;
  readonly contexts: CallContexts;
  /** Whether the user is asked to run a command again that its sandbox denied. */
  readonly asksAfterDenial: boolean;
}

export function commandTools({ exec, contexts, asksAfterDenial }: CommandToolParts): McpTool[] {
  const progress = new CallProgress(exec);

  /** A denial that came too late for a retry within the call: the question is asked here, where the client still waits. */
  async function afterDenial(output: ToolOutput, { canAsk }: ToolContext): Promise<ToolOutput> {
    const retry = output.denial?.retry;
    if (!asksAfterDenial || !canAsk || retry === undefined) return output;
    const second = await retry();
    // A declined retry takes nothing away from what the first attempt showed.
    return second.error?.code === 'tool.rejected' ? declined(output, second.error.message) : second;
  }

  const handlers: Readonly<Record<string, McpTool['handler']>> = {
    exec_command: async (args, context) => {
      const callId = randomUUID();
      const { signal } = context;
      const output = await contexts.during(callId, context, () =>
        progress.during(callId, context.progress, async () =>
          afterDenial(await exec.dispatch('exec_command', args, { callId, signal }), context),
        ),
      );
      return resultOf(output);
    },
    write_stdin: async (args, context) => {
      const { signal } = context;
      const sessionId = args['session_id'];
      const callId = exec.sessions().find((session) => session.sessionId === sessionId)?.callId ?? '';
      const output = await contexts.during(callId, context, () =>
        progress.during(callId, context.progress, async () =>
          afterDenial(await exec.dispatch('write_stdin', args, { signal }), context),
        ),
      );
      return resultOf(output);
    },
    apply_patch: async (args, context) => {
      const callId = randomUUID();
      const { signal } = context;
      const work = () => exec.dispatch('apply_patch', args, { callId, signal });
      return resultOf(await contexts.during(callId, context, work));
    },
  };

  const tools = exec.tools.mcp().map(({ name, description, inputSchema }): McpTool => {
    const handler = handlers[name];
    if (handler === undefined) throw new TypeError(`no handler for the tool ${name}`);
    const isPatch = name === 'apply_patch';
    return {
      name,
      description,
      inputSchema,
      outputSchema: isPatch ? PATCH_SCHEMA : OUTPUT_SCHEMA,
      // A patch changes files and starts nothing.
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: !isPatch },
      handler,
    };
  });
  return [...tools, listSessions(exec)];
}

/** The model is not invited to ask for what was refused just now. */
function declined(output: ToolOutput, why: string): ToolOutput {
  const { text, structured } = output;
  const [denial = '', ...notes] = structured.notes ?? [];
  const reason = why.replace(/^exec_command failed: /, '');
  const note = `the sandbox denied this command, and it was not run again: ${reason}. Do not try to reach the same by other means.`;
  return {
    ...output,
    text: text.replace(denial, () => note),
    structured: { ...structured, notes: [note, ...notes] },
  };
}

/** A cancelled call leaves its session behind, and its client was never told the number. */
function listSessions(exec: UnifiedExec): McpTool {
  return {
    name: 'list_sessions',
    description: 'Lists the commands that still run, with the session ID that write_stdin takes.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    outputSchema: SESSIONS_SCHEMA,
    annotations: { readOnlyHint: true, openWorldHint: false },
    handler: async () => {
      const sessions = exec.sessions().map(({ sessionId, command, cwd, tty, startedAt }) => ({
        session_id: sessionId,
        command,
        cwd,
        tty,
        running_seconds: (Date.now() - startedAt.getTime()) / 1000,
      }));
      const lines = sessions.map(({ session_id, command }) => `${session_id}: ${command}`);
      return { text: lines.join('\n') || 'No command runs.', structured: { sessions } };
    },
  };
}

/** Everything is in the structure: some clients show their model nothing else. */
function resultOf({ text, structured, isError, error, denial }: ToolOutput): ToolResult {
  if (error?.code === 'tool.arguments') throw new InvalidCallError(`${error.message}. ${error.hint}`);
  const more: JsonObject = {
    ...(error === undefined ? {} : { error: { ...error } }),
    ...(denial === undefined ? {} : { sandbox_denied: true, sandbox_denial: { ...denial.evidence } }),
  };
  return { text, structured: { ...structured, ...more }, isError };
}
