// One entry of `client.processes()`.

import type { ResultOf } from '@codex/exec-protocol';
import { fromFileUri } from '../remote-path.js';
import { shellJoin } from './start/shell-quote.js';

type ProcessSummary = ResultOf<'process/list'>['processes'][number];

export interface ProcessEntry {
  readonly id: string;
  readonly argv: readonly string[];
  /** The same as one line, quoted for a shell. */
  readonly command: string;
  readonly cwd: string;
  readonly tty: boolean;
  readonly state: ProcessSummary['state'];
  readonly exitCode?: number;
  readonly pid?: number;
  readonly startedAt?: Date;
}

export function processEntry(summary: ProcessSummary): ProcessEntry {
  const { argv, cwd, tty, state, exitCode, pid, startedAtMs } = summary;
  return {
    id: summary.processId,
    argv,
    command: shellJoin(argv),
    cwd: fromFileUri(cwd),
    tty,
    state,
    ...(exitCode == null ? {} : { exitCode }),
    ...(pid == null ? {} : { pid }),
    ...(startedAtMs == null ? {} : { startedAt: new Date(startedAtMs) }),
  };
}
