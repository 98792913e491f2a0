// `exec-server ps`: the processes of all sessions of a server.

import type { ExecObserver } from '@codex/exec-client';
import type { ObservedProcess, ObservedSession } from '@codex/exec-protocol';
import type { Command } from 'commander';
import { printError, printJson, printText } from '../print-text.js';
import { type ObserverFlags, observerCommand, withObserver } from './observer-command.js';
import { HEADINGS, processRow, tableLines } from './process-rows.js';

interface PsFlags extends ObserverFlags {
  readonly all?: boolean;
}

export interface Snapshot {
  readonly sessions: readonly ObservedSession[];
  readonly processes: readonly ObservedProcess[];
  /** How many of the oldest the server left out. */
  readonly omitted: number;
}

export function psCommand(): Command {
  return observerCommand('ps')
    .option('-a, --all', 'also those that have ended')
    .action((flags: PsFlags) =>
      withObserver('ps', flags, async (observer) => {
        const snapshot = await takeSnapshot(observer, flags.all === true);
        if (flags.json === true) printJson(snapshot);
        else {
          printText(`${processTable(snapshot).join('\n')}\n`);
          if (snapshot.omitted > 0) printError(`${snapshot.omitted} of the oldest are not shown\n`);
        }
      }),
    );
}

export async function takeSnapshot(observer: ExecObserver, all: boolean): Promise<Snapshot> {
  const [sessions, { processes, omitted }] = await Promise.all([observer.sessions(), observer.processes()]);
  const isShown = ({ process: { state, alive } }: ObservedProcess) =>
    all || state === 'running' || state === 'starting' || alive === true;
  return { sessions, processes: processes.filter(isShown), omitted };
}

export function processTable({ sessions, processes }: Snapshot, maxWidth?: number): string[] {
  const byHandle = new Map(sessions.map((session) => [session.session, session]));
  const now = Date.now();
  return tableLines([HEADINGS, ...processes.map((process) => processRow(process, byHandle, now))], maxWidth);
}
