// Judges whether the sandbox was the reason for an exit. Only the exit of a sandboxed command that failed is judged.
import type { Clock } from '@codex/exec-protocol';
import type { ExitStatus } from '@codex/launcher';
import type { OutputLog } from '../output/log/output-log.js';
import { snapshotOutput } from '../read/output-snapshot.js';
import type { JudgeExit, SandboxVerdict } from '../start/sandbox/process-sandbox.js';
import { exitCodeOf } from './command-exit.js';
import { evidenceRead, lastOutputRead } from './exit-after-output.js';

export interface SandboxVerdictOptions {
  readonly status: ExitStatus;
  /** Undefined for a command without a sandbox. */
  readonly judge: JudgeExit | undefined;
  readonly clock: Clock;
  /** Resolves when no more output can come. */
  readonly outputEnded: Promise<void>;
  readonly log: OutputLog;
}

const LINE_END = Buffer.from('\n');

/** Resolves when the exit may be told. */
export async function sandboxVerdict(options: SandboxVerdictOptions): Promise<SandboxVerdict> {
  const { status, judge, clock, outputEnded, log } = options;
  const exitCode = exitCodeOf(status);
  const { signal, report, lostMount } = status;
  if (judge === undefined || (exitCode === 0 && lostMount === undefined)) {
    await lastOutputRead(outputEnded);
    return { denied: false };
  }
  await evidenceRead(outputEnded, clock);
  try {
    const output = () => combinedOutput(log);
    return await judge({
      exitCode,
      signal,
      output,
      ...(report === undefined ? {} : { report }),
      ...(lostMount === undefined ? {} : { lostMount }),
    });
  } catch {
    // A verdict that cannot be had is no denial; the exit itself must not get lost.
    return { denied: false };
  }
}

/** Errors first: what explains an end stands there. Each stream begins a line of its own. */
function combinedOutput(log: OutputLog): Uint8Array {
  const { stdout, stderr, terminal } = snapshotOutput(log);
  const texts = [stderr.bytes, stdout.bytes, terminal.bytes].filter(({ length }) => length > 0);
  return Buffer.concat(texts.flatMap((text, index) => (index === 0 ? [text] : [LINE_END, text])));
}
