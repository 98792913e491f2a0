// How the end of a process reads to its caller: why it was stopped counts more than the code it left.

import type { ExecServerError } from '../../exec-server-error.js';
import type { NotStarted, Outcome, SandboxDenial } from '../../result.js';
import { signalOfExitCode } from './signal-names.js';

/** Why the client stopped a process. */
export type StopCause =
  | { readonly kind: 'timedOut'; readonly timeoutMs: number; readonly started?: NotStarted }
  | { readonly kind: 'aborted'; readonly reason: unknown }
  | { readonly kind: 'terminated' };

export interface EndFacts {
  readonly exit: { readonly exitCode: number; readonly denied: boolean } | undefined;
  readonly cause: StopCause | undefined;
  readonly lost: ExecServerError | undefined;
  readonly sandboxType: SandboxDenial['sandboxType'];
}

export function outcomeOf({ exit, cause, lost, sandboxType }: EndFacts): Outcome | undefined {
  if (cause !== undefined) return { ...cause, exitCode: exit?.exitCode ?? null };
  if (exit === undefined)
    return lost === undefined ? undefined : { kind: 'lost', exitCode: null, error: lost };
  const { exitCode, denied } = exit;
  if (denied) return { kind: 'denied', exitCode, denial: { sandboxType } };
  const signal = signalOfExitCode(exitCode);
  return signal === undefined ? { kind: 'exited', exitCode } : { kind: 'exited', exitCode, signal };
}
