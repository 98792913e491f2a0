// Turns the end of a process into an outcome. Why it was stopped counts more than its exit code.

import type { SandboxDenial as DenialEvidence, SandboxStop } from '@codex/exec-protocol';
import type { ExecServerError } from '../../exec-server-error.js';
import type { NotStarted, Outcome, SandboxDenial } from '../../result.js';
import { signalOfExitCode } from './signal-names.js';

/** Why the client stopped a process. */
export type StopCause =
  | { readonly kind: 'timedOut'; readonly timeoutMs: number; readonly started?: NotStarted }
  | { readonly kind: 'aborted'; readonly reason: unknown }
  | { readonly kind: 'terminated' };

export interface ObservedExit {
  readonly exitCode: number;
  readonly denied: boolean;
  /** What the server shows for a denial. Older ones show nothing. */
  readonly evidence?: DenialEvidence;
  /** The server ended it, because its sandbox does not hold any more. */
  readonly stopped?: SandboxStop;
}

export interface EndFacts {
  readonly exit: ObservedExit | undefined;
  readonly cause: StopCause | undefined;
  readonly lost: ExecServerError | undefined;
  readonly sandboxType: SandboxDenial['sandboxType'];
}

export function outcomeOf({ exit, cause, lost, sandboxType }: EndFacts): Outcome | undefined {
  if (cause !== undefined) return { ...cause, exitCode: exit?.exitCode ?? null };
  if (exit === undefined)
    return lost === undefined ? undefined : { kind: 'lost', exitCode: null, error: lost };
  const { exitCode, denied, evidence, stopped } = exit;
  if (denied) return { kind: 'denied', exitCode, denial: { sandboxType, ...shown(evidence) } };
  const signal = signalOfExitCode(exitCode);
  return {
    kind: 'exited',
    exitCode,
    ...(signal === undefined ? {} : { signal }),
    ...(stopped === undefined ? {} : { stopped }),
  };
}

function shown(evidence: DenialEvidence | undefined): Omit<SandboxDenial, 'sandboxType'> {
  if (evidence === undefined) return {};
  const { reason, line, path } = evidence;
  return { reason, line, ...(path == null ? {} : { path }) };
}
