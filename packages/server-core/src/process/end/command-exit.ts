// The exit of a command as its client is told it: one number, as shells say it, and whether its sandbox was the
// reason.
import { constants } from 'node:os';
import type { SandboxDenial } from '@codex/exec-protocol';
import type { ExitStatus } from '@codex/launcher';

export interface CommandExit {
  readonly exitCode: number;
  readonly sandboxDenied: boolean;
  /** What makes it look denied. */
  readonly denial?: SandboxDenial;
}

/** An end that was not observed. */
export const UNKNOWN_EXIT: CommandExit = { exitCode: -1, sandboxDenied: false };

export function exitCodeOf({ code, signal }: ExitStatus): number {
  if (code !== null) return code;
  if (signal === null) return UNKNOWN_EXIT.exitCode;
  const number = (constants.signals as Readonly<Record<string, number>>)[signal];
  return number === undefined ? UNKNOWN_EXIT.exitCode : 128 + number;
}
