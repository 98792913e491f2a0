// `exec-server logs PROCESS`: what is kept of its output, and with -f what follows.

import type { ExecObserver } from '@codex/exec-client';
import type { Command } from 'commander';
import { ExitCode } from '../exit-code.js';
import { wholeNumber } from '../whole-number.js';
import { EventOutput } from './event-output.js';
import { findProcess } from './find-process.js';
import { type ObserverFlags, observerCommand, withObserver } from './observer-command.js';

interface LogsFlags extends ObserverFlags {
  readonly follow?: boolean;
  readonly since?: number;
  readonly tail?: number;
  readonly raw?: boolean;
}

const NOTES = `
PROCESS is an id, the beginning of one, a pid, or SESSION/ID as \`ps\` shows them. What is no longer kept is counted on
stderr. On a terminal only text and colours are shown; --raw passes on everything.`;

export function logsCommand(): Command {
  return observerCommand('logs')
    .argument('<process>', 'whose output')
    .option('-f, --follow', 'go on until the process ends')
    .option('--since <seq>', 'begin with this event', wholeNumber)
    .option('--tail <bytes>', 'begin with about so much of the newest output', wholeNumber)
    .option('--raw', 'every byte, also to a terminal')
    .addHelpText('after', NOTES)
    .action((word: string, flags: LogsFlags) =>
      withObserver('logs', flags, (observer) => showLogs(observer, word, flags)),
    );
}

async function showLogs(observer: ExecObserver, word: string, flags: LogsFlags): Promise<void> {
  const { session, process: found } = await findProcess(observer, word);
  const output = new EventOutput({ json: flags.json === true, raw: flags.raw === true });
  const target = { session, processId: found.processId };
  const watch = await observer.watch(target, {
    ...(flags.since === undefined ? {} : { fromSeq: flags.since }),
    ...(flags.tail === undefined ? {} : { tailBytes: flags.tail }),
  });
  const end = watch.process?.nextSeq ?? 1;
  // Without -f it ends with what there was when it began.
  if (flags.follow !== true && (flags.since ?? 1) >= end && watch.process?.state !== 'closed') return;
  for await (const event of watch) {
    await output.take(event);
    if (event.type === 'ended' && event.reason !== 'complete' && flags.follow === true) throw new ExitCode(1);
    const isLast = 'seq' in event && event.type !== 'resized' && event.seq >= end - 1;
    const isBehind = event.type === 'gap' && event.toSeq >= end - 1;
    if (flags.follow !== true && (isLast || isBehind)) return;
  }
}
