// `exec-server top`: sessions and their processes, refreshed.

import { setTimeout as delay } from 'node:timers/promises';
import type { ExecObserver } from '@codex/exec-client';
import { type ObservedSession, visibleText } from '@codex/exec-protocol';
import type { Command } from 'commander';
import { ExitCode, READER_LEFT } from '../exit-code.js';
import { printJson, printText } from '../print-text.js';
import { enterRawMode, terminalSize } from '../run/local-terminal.js';
import { wholeNumber } from '../whole-number.js';
import { type ObserverFlags, observerCommand, withObserver } from './observer-command.js';
import { duration } from './process-rows.js';
import { processTable, type Snapshot, takeSnapshot } from './ps-command.js';

interface TopFlags extends ObserverFlags {
  readonly interval: number;
  readonly count?: number;
  readonly all?: boolean;
}

const CLEAR = '\x1b[H\x1b[J';
const CTRL_C = 3;

export function topCommand(): Command {
  return observerCommand('top')
    .option('--interval <ms>', 'time between two looks', wholeNumber, 2000)
    .option('--count <n>', 'end after so many looks', wholeNumber)
    .option('-a, --all', 'also processes that have ended')
    .addHelpText('after', '\nq or Ctrl-C leaves. Without a terminal every look is printed below the last.')
    .action((flags: TopFlags) => withObserver('top', flags, (observer) => refresh(observer, flags)));
}

async function refresh(observer: ExecObserver, flags: TopFlags): Promise<void> {
  const leaving = new AbortController();
  const stopKeys = listenForKeys(() => leaving.abort());
  try {
    for (let looks = 1; !leaving.signal.aborted; looks++) {
      if (!show(await takeSnapshot(observer, flags.all === true), flags)) throw new ExitCode(READER_LEFT);
      if (looks === flags.count) return;
      await delay(flags.interval, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  } finally {
    stopKeys();
  }
}

/** False when nobody looks any more. */
function show(snapshot: Snapshot, { json }: TopFlags): boolean {
  if (json === true) {
    return printJson({ atMs: Date.now(), ...snapshot });
  }
  const { rows, cols } = terminalSize();
  const isScreen = process.stdout.isTTY;
  const lines = [
    ...snapshot.sessions.map((session) => sessionLine(session, Date.now())),
    '',
    ...processTable(snapshot, isScreen ? cols : undefined),
  ];
  const shown =
    isScreen && lines.length >= rows
      ? [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more`]
      : lines;
  return printText(`${isScreen ? CLEAR : ''}${shown.join('\n')}\n`);
}

function sessionLine(session: ObservedSession, now: number): string {
  const { clientName, identity, state, sinceMs, expiresAtMs, running, stalled, processes, observers } =
    session;
  const left = expiresAtMs == null ? '' : `, ${duration(Math.max(0, expiresAtMs - now))} left`;
  const facts = [
    `${state} ${duration(Math.max(0, now - sinceMs))}${left}`,
    `${running} running of ${processes}`,
    ...(stalled > 0 ? [`${stalled} stalled`] : []),
    ...(observers > 0 ? [`${observers} watching`] : []),
  ];
  return visibleText(`${session.session}  ${clientName} (${identity})  ${facts.join(', ')}`);
}

function listenForKeys(leave: () => void): () => void {
  const { stdin } = process;
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  const restore = stdin.isTTY && process.stdout.isTTY ? enterRawMode(stdin) : undefined;
  const onKeys = (keys: Buffer): void => {
    if (keys.includes(CTRL_C) || keys.includes('q')) leave();
  };
  if (restore !== undefined) stdin.on('data', onKeys);
  return () => {
    process.off('SIGINT', leave);
    process.off('SIGTERM', leave);
    if (restore === undefined) return;
    stdin.off('data', onKeys);
    stdin.pause();
    restore();
  };
}
