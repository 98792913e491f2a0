// Runs a prepared command on the standard streams of this process: what a command line tool does with a sandbox.
import { once } from 'node:events';
import { constants } from 'node:os';
import type { PreparedSandbox } from '../sandbox-request.js';
import { spawnPrepared } from './spawn-prepared.js';

export interface ForegroundEnd {
  /** 128 + n after a signal n. */
  readonly exitCode: number;
  readonly violations: readonly string[];
}

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Signals to this process reach the command itself, not the wrapper. Resolves when the host is as it was. */
export async function runInForeground(prepared: PreparedSandbox): Promise<ForegroundEnd> {
  const child = spawnPrepared(prepared, { stdio: ['inherit', 'inherit', 'inherit'] });
  const forward = (signal: NodeJS.Signals) => {
    const pid = prepared.commandPid();
    if (pid !== undefined) process.kill(pid, signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    const exitCode = code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
    return { exitCode, violations: await prepared.finish({ code: exitCode }).cleanup };
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}
