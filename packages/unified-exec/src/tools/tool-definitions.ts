// The tools as models are told of them: one description, three dialects.

import type { Limits } from '../limits.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Of the arguments of a tool. */
export interface ToolSchema extends Record<string, unknown> {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required: string[];
  additionalProperties: false;
}

interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly schema: ToolSchema;
}

export interface OpenAiTool {
  type: 'function';
  name: string;
  description: string;
  strict: boolean;
  parameters: ToolSchema;
}

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ToolSchema;
}

export interface McpToolDefinition {
  name: string;
  description: string;
  inputSchema: ToolSchema;
}

export interface OfferedTools {
  readonly limits: Limits;
  /** The server's shell. */
  readonly shell: string;
  readonly allowLogin: boolean;
  /** Whether a model may ask to leave the sandbox. */
  readonly mayEscalate: boolean;
  readonly applyPatchTool: boolean;
}

export interface ToolDialects {
  /** For `tools` of the Responses API. */
  openai(): OpenAiTool[];
  /** For `tools` of the Messages API. */
  anthropic(): AnthropicTool[];
  /** For the answer to `tools/list`. */
  mcp(): McpToolDefinition[];
}

export function toolDialects(offered: OfferedTools): ToolDialects {
  const tools = [
    execCommandTool(offered),
    writeStdinTool(offered.limits),
    ...(offered.applyPatchTool ? [APPLY_PATCH_TOOL] : []),
  ];
  return {
    openai: () =>
      tools.map(({ name, description, schema }) => ({
        type: 'function' as const,
        name,
        description,
        strict: false,
        parameters: schema,
      })),
    anthropic: () =>
      tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    mcp: () => tools.map(({ name, description, schema }) => ({ name, description, inputSchema: schema })),
  };
}

function execCommandTool({ limits, shell, allowLogin, mayEscalate }: OfferedTools): ToolDefinition {
  return {
    name: 'exec_command',
    description:
      'Runs a shell command. Returns its output and exit code, or a session ID to go on with when it still runs.',
    schema: object(
      {
        cmd: text('The shell command.'),
        workdir: text('Folder to run it in. Default: the working directory.'),
        shell: text(`Only ${shell} is there.`),
        tty: flag('Run it in a terminal, which can be written to. Default: false.'),
        yield_time_ms: waiting(limits.execYieldMs),
        max_output_tokens: tokens(limits),
        ...(allowLogin ? { login: flag('Use a login shell. Default: true.') } : {}),
        ...(mayEscalate ? ESCALATION : {}),
      },
      'cmd',
    ),
  };
}

function writeStdinTool(limits: Limits): ToolDefinition {
  return {
    name: 'write_stdin',
    description: 'Writes to a running session and returns what it printed since the last call.',
    schema: object(
      {
        session_id: number('The session ID that exec_command returned.'),
        chars: text('What to type. Empty: only look. "\\u0003" interrupts.'),
        yield_time_ms: waiting(limits.writeYieldMs),
        max_output_tokens: tokens(limits),
      },
      'session_id',
    ),
  };
}

const ESCALATION = {
  sandbox_permissions: {
    type: 'string',
    enum: ['use_default', 'require_escalated'],
    description: 'require_escalated asks the user to run it outside the sandbox.',
  },
  justification: text('With require_escalated: a question to the user that says why.'),
  prefix_rule: {
    type: 'array',
    items: { type: 'string' },
    description: 'With require_escalated: the beginning of commands that might be allowed from now on.',
  },
};

function object(properties: Record<string, JsonSchema>, required: string): ToolSchema {
  return { type: 'object', properties, required: [required], additionalProperties: false };
}

function text(description: string): JsonSchema {
  return { type: 'string', description };
}

function flag(description: string): JsonSchema {
  return { type: 'boolean', description };
}

function number(description: string): JsonSchema {
  return { type: 'number', description };
}

function waiting(ms: number): JsonSchema {
  return number(`How long to wait for output, in milliseconds. Default: ${ms}.`);
}

function tokens({ maxOutputTokens }: Limits): JsonSchema {
  return number(`The most tokens to return. Default: ${maxOutputTokens}.`);
}

const APPLY_PATCH_TOOL: ToolDefinition = {
  name: 'apply_patch',
  description: `Changes text files. All of a patch is applied, or nothing.
*** Begin Patch
*** Add File: new.txt
+every line begins with a plus
*** Update File: src/app.ts
*** Move to: src/main.ts (only to rename)
@@ a line above the change, where its place is not clear
 a line that stays
-a line that goes
+a line that comes
*** Delete File: old.txt
*** End Patch`,
  schema: object({ patch: text('From `*** Begin Patch` to `*** End Patch`.') }, 'patch'),
};
