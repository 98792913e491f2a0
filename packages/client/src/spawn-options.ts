// The options of `spawn` and `run`.

import type { EnvPolicy } from '@codex/exec-protocol';
import type { SandboxOption } from './sandbox-option.js';

/** A program with arguments; a script for the server's shell; or a plain string, which is such a script. */
export type Command = readonly string[] | { readonly shell: string; readonly login?: boolean } | string;

export type InputChunk = string | Uint8Array;
export type Input = InputChunk | Iterable<InputChunk> | AsyncIterable<InputChunk>;

export interface StopPolicy {
  /** Send an interrupt and wait before the process is killed. Default true. */
  readonly interruptFirst?: boolean;
  /** Between the interrupt and the kill. Default 2000. */
  readonly graceMs?: number;
  /** How long to wait for the end to be confirmed. Default 5000. */
  readonly confirmMs?: number;
}

export interface DrainPolicy {
  /** `closed` follows the output until no process holds it open, however long that takes. Default `exited`. */
  readonly until?: 'exited' | 'closed';
  /** Silence after the exit that ends the wait for output. Default 50. */
  readonly graceMs?: number;
}

export interface CapturePolicy {
  /** Bytes kept of each of stdout, stderr and output: beginning and end. Default 64 MiB for run, 1 MiB for spawn. */
  readonly maxBytes?: number;
}

export interface SpawnOptions {
  /** Chosen by the client, unique in its session. Default: a UUID. */
  readonly id?: string;
  /** Relative to the server's own. */
  readonly cwd?: string;
  /** On top of what is inherited; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What the process inherits of the server's environment. Default `all` without secrets, see `DEFAULT_ENV_EXCLUDES`. */
  readonly inheritEnv?: 'all' | 'core' | 'none' | Partial<EnvPolicy>;
  readonly arg0?: string;
  /** `none` (the default) is the empty input, `pipe` stays open for `stdin.write`, anything else is sent and ended. */
  readonly stdin?: 'none' | 'pipe' | { readonly data: Input };
  /** Run in a terminal: one merged stream, line editing, Ctrl-C. */
  readonly tty?: boolean | { readonly rows: number; readonly cols: number };
  /** A policy of `@codex/sandbox`, or the wire's own form. Its workspace is `cwd`. */
  readonly sandbox?: SandboxOption;
  /** Stops the process; the outcome is `timedOut`. */
  readonly timeoutMs?: number;
  /** Stops the process; the outcome is `aborted`. */
  readonly signal?: AbortSignal;
  readonly stop?: StopPolicy;
  readonly drain?: DrainPolicy;
  readonly capture?: CapturePolicy;
  /** Bytes of output kept for readers that lag behind; more becomes a counted gap. Default 16 MiB. */
  readonly bufferBytes?: number;
  /** Passed on to the server, which may log it. */
  readonly metadata?: { readonly threadId?: string; readonly toolCallId?: string };
}
