// Why nothing comes from a process: what only this server knows, in one sentence.

import { formatDuration, plural } from '../text/format.js';
import type { ProcessRow } from './process-row.js';
import type { SessionRow } from './world.js';

export interface Quiet {
  /** `stuck` wants somebody's attention, `waiting` will go on by itself, `over` has ended, `busy` is as it should be. */
  readonly kind: 'stuck' | 'waiting' | 'over' | 'busy';
  readonly sentence: string;
}

const LONG_SILENCE_MS = 10_000;

export function whyQuiet(
  process: ProcessRow,
  session: SessionRow | undefined,
  times: {
    readonly nowMs: number;
    readonly lastOutputMs: number | undefined;
    readonly openApprovals: number;
  },
): Quiet {
  const { nowMs, lastOutputMs, openApprovals } = times;
  switch (process.state) {
    case 'refused':
      return { kind: 'over', sentence: `It was never started: ${process.reason ?? 'refused'}` };
    case 'lost':
      return { kind: 'over', sentence: `Ended from outside: ${process.reason ?? 'lost'}` };
    case 'starting':
      return { kind: 'waiting', sentence: 'Waits in the line of commands to be launched.' };
    case 'closed':
    case 'exited':
      return ended(process);
    case 'running':
      break;
  }
  if (session?.state === 'away') {
    const left = (session.expiresAtMs ?? nowMs) - nowMs;
    const held = process.stalled ? ' Its output fills what is kept, so the command stands still.' : '';
    return {
      kind: 'waiting',
      sentence: `Its client is away; the session waits for it another ${formatDuration(left)}.${held}`,
    };
  }
  if (process.stalled)
    return { kind: 'stuck', sentence: 'Stalled: its client does not read, so the command cannot write.' };
  if (openApprovals > 0)
    return { kind: 'waiting', sentence: `Its agent waits for ${plural(openApprovals, 'approval')}.` };
  const silence = nowMs - (lastOutputMs ?? process.startedAtMs);
  if (silence > LONG_SILENCE_MS)
    return { kind: 'busy', sentence: `Runs, and has written nothing for ${formatDuration(silence)}.` };
  return { kind: 'busy', sentence: 'Runs.' };
}

function ended(process: ProcessRow): Quiet {
  const took = formatDuration((process.endedAtMs ?? process.startedAtMs) - process.startedAtMs);
  const code = process.exitCode === undefined ? '' : ` with ${process.exitCode}`;
  if (!process.alive)
    return { kind: 'over', sentence: `Exited${code} after ${took}. Nothing of it is left.` };
  if (process.state === 'closed')
    return {
      kind: 'stuck',
      sentence: `Exited${code} after ${took}, but something that it started lives on.`,
    };
  return {
    kind: 'stuck',
    sentence: `Exited${code} after ${took}, but something that it started lives on and holds its output open.`,
  };
}
