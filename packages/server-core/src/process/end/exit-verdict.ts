// Whether the sandbox was the reason for an exit. Only a sandboxed command that failed is asked about, and its exit is
// held back a little for the output that tells; every other exit is published at once.
import type { SandboxDenial } from '@codex/exec-protocol';
import type { ExitStatus } from '@codex/launcher';
import type { Clock } from '../../clock.js';
import type { ClassifyExit } from '../start/process-sandbox.js';
import { exitCodeOf } from './exit-code.js';

export const VERDICT_WAIT_MS = 20;
/** How long an end is held back for a tree that is not gone yet, because of children in the background. */
export const HOST_RESTORE_WAIT_MS = 100;

export interface ExitVerdict {
  readonly exitCode: number;
  readonly sandboxDenied: boolean;
  /** What makes it look denied. */
  readonly denial?: SandboxDenial;
  /** The sandbox failed before the command ran. */
  readonly failure?: string;
}

export interface ExitVerdictOptions {
  readonly status: ExitStatus;
  readonly classify: ClassifyExit | undefined;
  readonly clock: Clock;
  /** Resolves when no more output can come. */
  readonly outputEnded: Promise<void>;
  readonly output: () => Uint8Array;
}

export async function judgeExit(options: ExitVerdictOptions): Promise<ExitVerdict> {
  const exitCode = exitCodeOf(options.status);
  const { classify } = options;
  if (classify === undefined || exitCode === 0) {
    await Promise.race([options.outputEnded, wholeTurn()]);
    return { exitCode, sandboxDenied: false };
  }
  await atMost(VERDICT_WAIT_MS, options.outputEnded, options.clock);
  try {
    const { signal, report } = options.status;
    const { denied, denial, failure } = await classify({
      exitCode,
      signal,
      output: options.output,
      ...(report === undefined ? {} : { report }),
    });
    return {
      exitCode,
      sandboxDenied: denied,
      ...(denial === undefined ? {} : { denial }),
      ...(failure === undefined ? {} : { failure }),
    };
  } catch {
    // A verdict that cannot be had is no denial; the exit itself must not get lost.
    return { exitCode, sandboxDenied: false };
  }
}

export function atMost(ms: number, event: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.schedule(ms, resolve);
    void event.then(() => {
      timer.cancel();
      resolve();
    });
  });
}

/**
 * Output that the command wrote before it ended is announced before the exit. It is in the pipe already, and the next
 * poll reads it: the first immediate ends the turn in which the exit was seen, the second the turn after that poll.
 */
function wholeTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
