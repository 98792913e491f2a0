// Whether the sandbox was the reason for an exit. Only a sandboxed command that failed is asked about.
import type { Clock } from '@codex/exec-protocol';
import type { ExitStatus } from '@codex/launcher';
import type { ClassifyExit, SandboxVerdict } from '../start/process-sandbox.js';
import { exitCodeOf } from './command-exit.js';
import { evidenceRead, lastOutputRead } from './exit-after-output.js';

export interface SandboxVerdictOptions {
  readonly status: ExitStatus;
  /** Undefined for a command without a sandbox. */
  readonly classify: ClassifyExit | undefined;
  readonly clock: Clock;
  /** Resolves when no more output can come. */
  readonly outputEnded: Promise<void>;
  readonly output: () => Uint8Array;
}

/** Resolves when the exit may be told. */
export async function sandboxVerdict(options: SandboxVerdictOptions): Promise<SandboxVerdict> {
  const { status, classify, clock, outputEnded, output } = options;
  const exitCode = exitCodeOf(status);
  if (classify === undefined || exitCode === 0) {
    await lastOutputRead(outputEnded);
    return { denied: false };
  }
  await evidenceRead(outputEnded, clock);
  try {
    const { signal, report } = status;
    return await classify({ exitCode, signal, output, ...(report === undefined ? {} : { report }) });
  } catch {
    // A verdict that cannot be had is no denial; the exit itself must not get lost.
    return { denied: false };
  }
}
