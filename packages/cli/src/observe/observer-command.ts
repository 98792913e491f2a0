// What the commands that watch have in common: the flags of the server, one sentence for what goes wrong, `--json`.

import type { ExecObserver } from '@codex/exec-client';
import { Command } from 'commander';
import { failureSentence } from '../connect/failure-sentence.js';
import { addServerFlags, type ServerFlags } from '../connect/server-flags.js';
import { errnoOf } from '../cp/copy-error.js';
import { ExitCode, READER_LEFT } from '../exit-code.js';
import { printError, printJson } from '../print-text.js';
import { PROGRAM } from '../program-name.js';
import { openObserver } from './open-observer.js';

export interface ObserverFlags extends ServerFlags {
  readonly json?: boolean;
}

export function observerCommand(name: string): Command {
  return addServerFlags(new Command(name), 'ws:// or wss:// address of the exec-server to look at').option(
    '--json',
    'print JSON, for a script',
  );
}

/** Connects, acts, and leaves; a failure is one sentence, or with --json one line. */
export async function withObserver(
  name: string,
  flags: ObserverFlags,
  act: (observer: ExecObserver) => Promise<void>,
): Promise<void> {
  let observer: ExecObserver | undefined;
  try {
    observer = await openObserver(flags, { clientName: `${PROGRAM} ${name}` });
    await act(observer);
  } catch (error) {
    if (error instanceof ExitCode) throw error;
    if (errnoOf(error) === 'EPIPE') throw new ExitCode(READER_LEFT);
    if (flags.json === true) printJson({ error: failureSentence(error) });
    else printError(`${PROGRAM} ${name}: ${failureSentence(error)}\n`);
    throw new ExitCode(1);
  } finally {
    await observer?.close();
  }
}
