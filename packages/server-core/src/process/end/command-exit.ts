// The exit of a command as its client is told it: one number, as shells say it, and whether its sandbox was the
// reason.
import type { SandboxDenial } from '@codex/exec-protocol';
import { type ExitStatus, shellExitCode } from '@codex/launcher';

export interface CommandExit {
  readonly exitCode: number;
  readonly sandboxDenied: boolean;
  /** What makes it look denied. */
  readonly denial?: SandboxDenial;
}

/** An end that was not observed. */
export const UNKNOWN_EXIT: CommandExit = { exitCode: -1, sandboxDenied: false };

export function exitCodeOf(status: ExitStatus): number {
  return shellExitCode(status) ?? UNKNOWN_EXIT.exitCode;
}
