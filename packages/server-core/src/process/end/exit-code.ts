// One number for how a command ended, the way shells say it.
import { constants } from 'node:os';
import type { ExitStatus } from '@codex/launcher';

/** Stands for an end that nobody could observe. */
export const UNKNOWN_EXIT_CODE = -1;

export function exitCodeOf({ code, signal }: ExitStatus): number {
  if (code !== null) return code;
  if (signal === null) return UNKNOWN_EXIT_CODE;
  const number = (constants.signals as Readonly<Record<string, number>>)[signal];
  return number === undefined ? UNKNOWN_EXIT_CODE : 128 + number;
}
