// The exit of a command as its client is told it: one number, as shells say it, and whether its sandbox was the
// reason.
import type { SandboxDenial, SandboxStop } from '@codex/exec-protocol';
import { type ExitStatus, shellExitCode } from '@codex/launcher';

export interface CommandExit {
  readonly exitCode: number;
  readonly sandboxDenied: boolean;
  /** What makes it look denied. */
  readonly denial?: SandboxDenial;
  /** It was ended because its sandbox does not hold any more. */
  readonly stopped?: SandboxStop;
}

/** An end that was not observed. */
export const UNKNOWN_EXIT: CommandExit = { exitCode: -1, sandboxDenied: false };

/** What there is to say of an end beside its code. */
export function exitDetails({
  denial,
  stopped,
}: Pick<CommandExit, 'denial' | 'stopped'>): Pick<CommandExit, 'denial' | 'stopped'> {
  return { ...(denial === undefined ? {} : { denial }), ...(stopped === undefined ? {} : { stopped }) };
}

export function exitCodeOf(status: ExitStatus): number {
  return shellExitCode(status) ?? UNKNOWN_EXIT.exitCode;
}
