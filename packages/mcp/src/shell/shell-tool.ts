// The tool `shell`: from a call to a command in its sandbox, and back.
import { statSync } from 'node:fs';
import type { CallSandbox, Answer as ExecAnswer, ShellRuns } from '@codex/escalation';
import { SandboxError } from '@codex/sandbox';
import type { Answer, JsonObject, McpTool, ToolContext } from '../server/description.js';
import { InvalidCallError } from '../server/invalid-call-error.js';
import { LastLine } from './last-line.js';
import { sandboxStateOf } from './sandbox-state.js';
import { shellAnswer } from './shell-answer.js';
import { readShellArguments, type ShellArguments, type TimeoutLimits } from './shell-arguments.js';
import { shellDefinition } from './shell-definition.js';

export interface ShellToolOptions extends TimeoutLimits {
  readonly runs: Pick<ShellRuns, 'run'>;
  readonly maxOutputBytes: number;
  /** For calls that carry none of their own. */
  readonly sandbox: () => CallSandbox;
}

export function shellTool(options: ShellToolOptions): McpTool {
  return {
    ...shellDefinition(options),
    handler: async (values, context) => {
      const call = checkedArguments(values, options);
      const sandbox = sandboxStateOf(context.meta) ?? options.sandbox();
      const lastLine = new LastLine();
      const result = await inWords(() =>
        options.runs.run({
          ...call,
          sandbox,
          ask: context.canAsk ? (text, signal) => asked(context, text, signal) : undefined,
          nobody: 'this client cannot ask its user for approval (it has no elicitation), so it is denied',
          onOutput: (bytes) => {
            const line = lastLine.after(bytes);
            if (line !== undefined) context.progress(line);
          },
          signal: context.signal,
        }),
      );
      const answer = shellAnswer(result);
      return { text: JSON.stringify(answer), structured: { ...answer } };
    },
  };
}

function checkedArguments(values: JsonObject, limits: TimeoutLimits): ShellArguments {
  const call = readShellArguments(values, limits);
  if (typeof call === 'string') throw new InvalidCallError(call);
  if (!isDirectory(call.workdir)) {
    const workdir = JSON.stringify(call.workdir);
    throw new InvalidCallError(
      `workdir ${workdir.slice(0, LONGEST_NAME)} is not a directory that can be used`,
    );
  }
  return call;
}

const LONGEST_NAME = 300;

/** Neither are links that lead to themselves, names that are too long, and folders of others. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A plain yes or no: the form has no fields. */
async function asked(context: ToolContext, message: string, signal: AbortSignal): Promise<ExecAnswer> {
  const answer: Answer = await context.ask({ message }, signal);
  switch (answer.action) {
    case 'accept':
    case 'decline':
    case 'cancel':
      return { type: answer.action };
    case 'failed':
      return { type: 'failed', reason: answer.reason };
    case 'unavailable':
      return { type: 'failed', reason: 'the client cannot ask its user' };
    case 'withdrawn':
      return { type: 'failed', reason: 'the question was withdrawn' };
  }
}

/** What the caller can correct is refused as a wrong call; everything else is this server's failure. */
async function inWords<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const isCallers =
      error instanceof SandboxError &&
      (error.code === 'SANDBOX_POLICY_INVALID' || error.details['stage'] === 'cwd');
    throw isCallers ? new InvalidCallError(error.message) : error;
  }
}
