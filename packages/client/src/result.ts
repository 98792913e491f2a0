// The types of results: outcome, captured output, and the result of a run.

import type { SandboxDenial as DenialEvidence, SandboxStop } from '@codex/exec-protocol';
import type { ExecServerError } from './exec-server-error.js';

export type StreamName = 'stdout' | 'stderr' | 'pty';

export type Outcome =
  /** `signal` is decoded from 128+n. `stopped`: the server ended it, because its sandbox does not hold any more. */
  | {
      readonly kind: 'exited';
      readonly exitCode: number;
      readonly signal?: string;
      readonly stopped?: SandboxStop;
    }
  | { readonly kind: 'denied'; readonly exitCode: number; readonly denial: SandboxDenial }
  | {
      readonly kind: 'timedOut';
      readonly exitCode: number | null;
      readonly timeoutMs: number;
      readonly started?: NotStarted;
    }
  | {
      readonly kind: 'aborted';
      readonly exitCode: number | null;
      readonly reason: unknown;
      readonly started?: NotStarted;
    }
  | { readonly kind: 'terminated'; readonly exitCode: number | null }
  /** The connection is gone for good; the process may still be running. */
  | { readonly kind: 'lost'; readonly exitCode: null; readonly error: ExecServerError };

/** False: the command never ran. `unknown`: the server did not say. Absent where it ran. */
export type NotStarted = false | 'unknown';

export interface SandboxDenial {
  readonly sandboxType: 'none' | 'macosSeatbelt' | 'linuxSeccomp' | 'windowsRestrictedToken' | 'unknown';
  /** What the command complained of, where the server says so. */
  readonly reason?: DenialEvidence['reason'];
  /** The line of its output that shows it. The command wrote it: show it, do not trust it. */
  readonly line?: string;
  /** The path in that line, if there is one. */
  readonly path?: string;
}

/** Output that exists no more. `bytes` is null where the server does not say how much. */
export interface Gap {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly bytes: number | null;
  readonly why: 'serverEvicted' | 'clientBudget';
}

export interface Captured {
  /** The retained bytes; beginning and end stand directly beside each other when something was omitted. */
  readonly bytes: Uint8Array;
  /** The retained text; a marker line stands for what was omitted. */
  readonly text: string;
  readonly lines: readonly string[];
  readonly totalBytes: number;
  readonly omittedBytes: number;
  readonly gaps: readonly Gap[];
  /** Nothing was omitted and nothing is missing. */
  readonly complete: boolean;
  /** With the text, without the bytes. */
  toJSON(): CapturedJson;
}

export type CapturedJson = Pick<Captured, 'text' | 'totalBytes' | 'omittedBytes' | 'gaps' | 'complete'>;

/** Anything that validates, as zod, valibot and arktype do: https://standardschema.dev */
export interface StandardSchema<T> {
  readonly '~standard': {
    validate(value: unknown): SchemaVerdict<T> | Promise<SchemaVerdict<T>>;
  };
}

export type SchemaVerdict<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly unknown[] };

export interface Result {
  /** The command exited by itself with code 0. */
  readonly ok: boolean;
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly stdout: Captured;
  readonly stderr: Captured;
  /** Both streams (or the terminal) in the order of arrival. */
  readonly output: Captured;
  readonly command: string;
  readonly cwd: string;
  readonly durationMs: number;
  readonly processId: string;
  /** The command has exited, and something it started still holds its output open. */
  readonly pipesHeldOpen: boolean;
  /** Parses stdout (the terminal's text on a tty). */
  json(): unknown;
  json<T>(schema: StandardSchema<T>): Promise<T>;
  /** Throws `process.failed` unless `ok`. */
  orThrow(): Result;
  /** Everything but `output`, which repeats the other two. */
  toJSON(): ResultJson;
}

export type ResultJson = Omit<Result, 'stdout' | 'stderr' | 'output' | 'json' | 'orThrow' | 'toJSON'> & {
  readonly stdout: CapturedJson;
  readonly stderr: CapturedJson;
};
