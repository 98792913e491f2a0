// The arguments of both tools, checked: from the text that a model wrote, or from an object that a program made.

import { ToolFailure } from '../tool-error.js';
import { count, type FieldRule, flag, kindOf, oneOf, sessionNumber, text, texts } from './field-rules.js';

export interface ExecCommandArgs {
  cmd: string;
  workdir?: string;
  shell?: string;
  login?: boolean;
  tty?: boolean;
  yield_time_ms?: number;
  max_output_tokens?: number;
  environment_id?: string;
  sandbox_permissions?: 'use_default' | 'require_escalated' | 'with_additional_permissions';
  justification?: string;
  prefix_rule?: string[];
}

export interface WriteStdinArgs {
  session_id: number;
  chars?: string;
  yield_time_ms?: number;
  max_output_tokens?: number;
}

export interface ApplyPatchArgs {
  patch: string;
}

type Rules<T> = { readonly [K in keyof T]-?: FieldRule<NonNullable<T[K]>> };

const EXEC_COMMAND: Rules<ExecCommandArgs> = {
  cmd: text,
  workdir: text,
  shell: text,
  login: flag,
  tty: flag,
  yield_time_ms: count,
  max_output_tokens: count,
  environment_id: text,
  sandbox_permissions: oneOf('use_default', 'require_escalated', 'with_additional_permissions'),
  justification: text,
  prefix_rule: texts,
};

const WRITE_STDIN: Rules<WriteStdinArgs> = {
  session_id: sessionNumber,
  chars: text,
  yield_time_ms: count,
  max_output_tokens: count,
};

const APPLY_PATCH: Rules<ApplyPatchArgs> = { patch: text };

export function execCommandArgs(value: unknown): ExecCommandArgs {
  return checked(value, EXEC_COMMAND, 'cmd');
}

export function writeStdinArgs(value: unknown): WriteStdinArgs {
  return checked(value, WRITE_STDIN, 'session_id');
}

export function applyPatchArgs(value: unknown): ApplyPatchArgs {
  return checked(value, APPLY_PATCH, 'patch');
}

/** What a model wrote, as text or taken apart by its API. */
export function parseArguments(json: unknown): unknown {
  if (typeof json !== 'string') return json;
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    throw badArguments('the arguments are not JSON', error);
  }
}

/** Unknown fields are ignored, as Codex does. */
function checked<T extends object>(value: unknown, rules: Rules<T>, required: keyof T & string): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badArguments(`invalid type: ${kindOf(value)}, expected an object with the field \`${required}\``);
  }
  const given = value as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries<FieldRule<unknown>>(rules)) {
    const field = Object.hasOwn(given, name) ? given[name] : undefined;
    if (field === undefined || (field === null && name !== required)) continue;
    const verdict = rule(field);
    if ('problem' in verdict) throw badArguments(verdict.problem, undefined, name);
    result[name] = verdict.value;
  }
  if (!(required in result)) throw badArguments(`missing field \`${required}\``);
  return result as T;
}

function badArguments(problem: string, cause?: unknown, field?: string): ToolFailure {
  return new ToolFailure('tool.arguments', `failed to parse function arguments: ${problem}`, {
    hint: `Correct ${field === undefined ? 'the arguments' : `\`${field}\``} and call again.`,
    cause,
  });
}
