// The one error class of the client. Failures are errors; what a command did (exit codes, denials, timeouts) is a value.

import { CodedError } from '@codex/exec-protocol';
import type { Capability } from './capabilities.js';
import type { Gap, Result } from './result.js';

/** Why the machine of a session counts as lost, and what is certain about it. */
export interface MachineLoss {
  readonly reason: 'sessionGone' | 'drained' | 'machineGone' | 'machineSilent' | 'brokerUnreachable';
  readonly executor: string;
  /** When the machine was last heard, as epoch milliseconds. */
  readonly lastSeenAt: number;
  /** From this moment on the session's processes are dead, as epoch milliseconds. */
  readonly fencedBy: number;
}

export interface ErrorDetails {
  'transport.connect': { readonly target: string; readonly attempts: number };
  'transport.lost': {
    /** `connectionLost` where no more is known than that a server is not reached. */
    readonly reason: 'connectionLost' | MachineLoss['reason'];
    readonly sessionId?: string;
  } & Partial<Omit<MachineLoss, 'reason'>>;
  'fleet.noCapacity': { readonly environment: string; readonly waitedMs: number };
  'transport.timeout': { readonly method: string; readonly timeoutMs: number };
  'protocol.violation': { readonly message: string };
  'server.rejected': { readonly method: string; readonly rpcCode: number };
  'session.held': { readonly sessionId: string };
  'session.unknown': { readonly sessionId: string };
  'process.spawn': {
    readonly command: string;
    readonly cwd: string;
    readonly reason: 'cwdMissing' | 'notFound' | 'notExecutable' | 'sandbox' | 'other';
  };
  'process.idInUse': { readonly processId: string };
  'process.unknown': { readonly processId: string };
  'process.stdinClosed': { readonly processId: string };
  'process.failed': { readonly result: Result };
  'process.waitTimeout': { readonly processId: string; readonly condition: string; readonly tail: string };
  'process.endedBefore': { readonly processId: string; readonly condition: string; readonly tail: string };
  'process.outputGap': { readonly processId: string; readonly gap: Gap };
  'output.invalid': { readonly format: 'text' | 'json' | 'schema'; readonly text: string };
  'fs.notFound': { readonly path: string };
  'fs.denied': { readonly path: string };
  'fs.exists': { readonly path: string };
  'fs.io': { readonly path: string };
  'fs.incomplete': { readonly path: string; readonly unread: number };
  unsupported: { readonly capability: Capability; readonly serverVersion?: string };
  aborted: { readonly operation: string };
  closed: { readonly operation: string };
  'argument.invalid': { readonly argument: string };
}

export type ErrorCode = keyof ErrorDetails;

export interface ErrorOptions<C extends ErrorCode> {
  readonly details: ErrorDetails[C];
  /** Whether the same call may succeed when it is made again. */
  readonly retryable?: boolean;
  /** Whether the effect reached the server. Defaults to false. */
  readonly admitted?: boolean | 'unknown';
  /** What to do about it, in a sentence. */
  readonly hint?: string;
  readonly cause?: unknown;
}

export class ExecServerError<C extends ErrorCode = ErrorCode> extends CodedError<C> {
  declare readonly details: ErrorDetails[C];
  readonly retryable: boolean;
  readonly admitted: boolean | 'unknown';
  declare readonly hint?: string;

  constructor(code: C, message: string, options: ErrorOptions<C>) {
    super(code, message, {
      details: options.details,
      ...(options.cause === undefined ? {} : { cause: options.cause }),
    });
    this.retryable = options.retryable ?? false;
    this.admitted = options.admitted ?? false;
    if (options.hint !== undefined) this.hint = options.hint;
    // Written out: bundlers rename classes. Not enumerable, as in the base class.
    Object.defineProperty(this, 'name', { value: 'ExecServerError', configurable: true });
  }

  /** Narrows an unknown error to one code and its details. */
  static is<C extends ErrorCode>(error: unknown, code: C): error is ExecServerError<C> {
    return isExecServerError(error) && error.code === code;
  }

  toJSON(): Record<string, unknown> {
    const { code, message, details, retryable, admitted, hint } = this;
    return { code, message, details, retryable, admitted, ...(hint === undefined ? {} : { hint }) };
  }
}

export function isExecServerError(error: unknown): error is ExecServerError {
  return error instanceof ExecServerError;
}

export function abortedError(
  operation: string,
  reason: unknown,
  admitted: boolean | 'unknown' = 'unknown',
): ExecServerError<'aborted'> {
  return new ExecServerError('aborted', `${operation} was aborted by the caller`, {
    details: { operation },
    admitted,
    cause: reason,
  });
}

export function invalidArgument(argument: string, message: string): ExecServerError<'argument.invalid'> {
  return new ExecServerError('argument.invalid', message, { details: { argument } });
}
