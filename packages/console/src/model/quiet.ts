// Why nothing comes from a process: what only this server knows, in one sentence.

import { formatDuration, plural } from '../text/format.js';
import type { ProcessRow } from './process-row.js';
import type { SessionRow } from './world.js';

export interface Quiet {
  /** `stuck` needs attention, `waiting` will go on by itself, `over` has ended, `busy` is as it should be. */
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
    /** Commands that are alive of its tree, where that is known. */
    readonly members?: readonly string[] | undefined;
  },
): Quiet {
  const { nowMs, lastOutputMs, openApprovals, members } = times;
  switch (process.state) {
    case 'refused':
      return { kind: 'over', sentence: `It was never started: ${process.reason ?? 'refused'}` };
    case 'lost':
      return { kind: 'over', sentence: `Ended from outside: ${process.reason ?? 'lost'}` };
    case 'starting':
      return { kind: 'waiting', sentence: 'Waits in the line of commands to be launched.' };
    case 'closed':
    case 'exited':
      return ended(process, members);
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

const MAX_NAMED = 3;

function ended(process: ProcessRow, members: readonly string[] | undefined): Quiet {
  const took = formatDuration((process.endedAtMs ?? process.startedAtMs) - process.startedAtMs);
  const code = process.exitCode === undefined ? '' : ` with ${process.exitCode}`;
  if (!process.alive)
    return { kind: 'over', sentence: `Exited${code} after ${took}. Nothing of it is left.` };
  const isOne = members === undefined || members.length < 2;
  const rest = process.state === 'closed' ? '' : ` and ${isOne ? 'holds' : 'hold'} its output open`;
  return {
    kind: 'stuck',
    sentence: `Exited${code} after ${took}, but ${leftBehind(members)} ${isOne ? 'lives' : 'live'} on${rest}.`,
  };
}

function leftBehind(members: readonly string[] = []): string {
  if (members.length === 0) return 'something that it started';
  const named = members.slice(0, MAX_NAMED).join(', ');
  const more = members.length > MAX_NAMED ? ', …' : '';
  return `${plural(members.length, 'process', 'processes')} that it started (${named}${more})`;
}
