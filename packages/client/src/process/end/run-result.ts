// The result object of `run()`, with its two convenience methods.

import { ExecServerError } from '../../exec-server-error.js';
import { CUSTOM_INSPECT, type Inspect } from '../../inspect.js';
import type { Captured, Outcome, Result, ResultJson, StandardSchema } from '../../result.js';

export type ResultFields = Omit<Result, 'ok' | 'exitCode' | 'json' | 'orThrow' | 'toJSON'>;

const TAIL_CHARACTERS = 2000;

export class RunResult implements Result {
  readonly ok: boolean;
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly output: Captured;
  readonly command: string;
  readonly cwd: string;
  readonly durationMs: number;
  readonly processId: string;
  readonly pipesHeldOpen: boolean;

  constructor(fields: ResultFields) {
    this.outcome = fields.outcome;
    this.exitCode = fields.outcome.exitCode;
    this.ok = fields.outcome.kind === 'exited' && fields.outcome.exitCode === 0;
    this.stdout = fields.stdout;
    this.stderr = fields.stderr;
    this.output = fields.output;
    this.command = fields.command;
    this.cwd = fields.cwd;
    this.durationMs = fields.durationMs;
    this.processId = fields.processId;
    this.pipesHeldOpen = fields.pipesHeldOpen;
  }

  json(): unknown;
  json<T>(schema: StandardSchema<T>): Promise<T>;
  json<T>(schema?: StandardSchema<T>): unknown {
    const value = parseJson(this.stdout);
    return schema === undefined ? value : checkSchema(value, schema);
  }

  orThrow(): Result {
    if (this.ok) return this;
    const said = (this.stderr.totalBytes > 0 ? this.stderr : this.output).text.trimEnd();
    const tail = said === '' ? '' : `\n${said.slice(-TAIL_CHARACTERS)}`;
    throw new ExecServerError('process.failed', `${this.command}: ${describeOutcome(this.outcome)}${tail}`, {
      details: { result: this },
      admitted: startedOf(this.outcome),
    });
  }

  toJSON(): ResultJson {
    const { output: _, ...fields } = this;
    return { ...fields, stdout: this.stdout.toJSON(), stderr: this.stderr.toJSON() };
  }

  [CUSTOM_INSPECT](_depth: number, options: object, inspect: Inspect): string {
    const { output: _, ...fields } = this;
    const shown = { ...fields, stdout: shownOutput(this.stdout), stderr: shownOutput(this.stderr) };
    return `Result ${inspect(shown, options)}`;
  }
}

/** Output that is complete is its text; the account of what is missing stays with the other. */
function shownOutput(captured: Captured): string | Captured {
  return captured.complete ? captured.text : captured;
}

function startedOf(outcome: Outcome): boolean | 'unknown' {
  return 'started' in outcome ? (outcome.started ?? true) : true;
}

export function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'exited':
      return outcome.signal === undefined
        ? `exited with code ${outcome.exitCode}`
        : `ended by ${outcome.signal} (code ${outcome.exitCode})`;
    case 'denied':
      return `the sandbox denied something it needs (exit code ${outcome.exitCode})`;
    case 'timedOut':
      return outcome.started === false
        ? `not started within ${outcome.timeoutMs} ms`
        : `stopped after ${outcome.timeoutMs} ms`;
    case 'aborted':
      return 'stopped because the caller aborted';
    case 'terminated':
      return 'terminated';
    case 'lost':
      return `lost: ${outcome.error.message}`;
  }
}

function parseJson(captured: Captured): unknown {
  const { text } = captured;
  if (!captured.complete) {
    throw new ExecServerError('output.invalid', 'the output is not complete, so it is not parsed', {
      details: { format: 'json', text: text.slice(0, TAIL_CHARACTERS) },
      admitted: true,
      hint: 'Raise capture.maxBytes.',
    });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ExecServerError('output.invalid', `the output is not JSON: ${String(cause)}`, {
      details: { format: 'json', text: text.slice(0, TAIL_CHARACTERS) },
      admitted: true,
      cause,
    });
  }
}

export async function checkSchema<T>(value: unknown, schema: StandardSchema<T>): Promise<T> {
  const verdict = await schema['~standard'].validate(value);
  if (verdict.issues === undefined) return verdict.value;
  throw new ExecServerError('output.invalid', 'the output does not have the expected shape', {
    details: { format: 'schema', text: JSON.stringify(verdict.issues).slice(0, TAIL_CHARACTERS) },
    admitted: true,
  });
}
