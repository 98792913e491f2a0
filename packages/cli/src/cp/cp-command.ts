// `codex cp FROM TO`: files and directories between this machine and an exec-server's.

import { Command } from 'commander';
import { failureSentence } from '../connect/failure-sentence.js';
import { openClient } from '../connect/open-client.js';
import { addServerFlags, type ServerFlags, serverAddress } from '../connect/server-flags.js';
import { tellPerson } from '../connect/tell-person.js';
import type { ExecServerRuntimePaths } from '../exec-server/runtime-paths.js';
import { ExitCode } from '../exit-code.js';
import { CopyInterrupt } from './copy-interrupt.js';
import { parseCopy } from './copy-place.js';
import { download } from './download.js';
import { ProgressLine } from './progress-line.js';
import { upload } from './upload.js';

const FAILED = 1;

const NOTES = `
One of FROM and TO is on the server:
  :PATH                  on the server of --url; relative paths start at the server's own directory
  ws://HOST:PORT:PATH    on that server (wss:// as well)
  PATH                   on this machine; ./:NAME for a name that starts with a colon

A directory that exists as TO gets the copy inside. Nothing is overwritten without --force. The copy
has its name only when it is whole (on servers that can rename). Contents are copied, not permissions,
times or owners; links are followed, and sockets, devices and broken links are left out.

Examples:
  codex cp --url ws://127.0.0.1:7777 report.pdf :/srv/reports/
  codex cp --recursive ws://127.0.0.1:7777:/var/log/app ./logs

Exit codes:
    0  copied
    1  not copied; one sentence on stderr says why
    2  wrong flags
  130  interrupted (143 by SIGTERM); nothing of the copy is left`;

interface CopyFlags extends ServerFlags {
  readonly recursive?: boolean;
  readonly force?: boolean;
  readonly quiet?: boolean;
}

export function cpCommand(paths: ExecServerRuntimePaths): Command {
  const command = new Command('cp')
    .description("Copy files between this machine and an exec-server's")
    .usage('[options] FROM TO')
    .argument('<from>', 'what to copy')
    .argument('<to>', 'where to');
  return addServerFlags(command)
    .option('-r, --recursive', 'copy a directory with everything in it')
    .option('-f, --force', 'replace what exists')
    .option('-q, --quiet', 'no progress and no line at the end')
    .addHelpText('after', NOTES)
    .action((from: string, to: string, flags: CopyFlags) => act({ from, to }, flags, paths));
}

async function act(
  places: { readonly from: string; readonly to: string },
  flags: CopyFlags,
  paths: ExecServerRuntimePaths,
): Promise<void> {
  const progress = new ProgressLine(process.stderr, { quiet: flags.quiet === true });
  using interrupt = new CopyInterrupt();
  try {
    const target = await copy(places, { flags, paths, progress, signal: interrupt.signal });
    const sentence = progress.done();
    if (flags.quiet !== true) tellPerson(`${sentence} to ${target}\n`);
  } catch (error) {
    progress.clear();
    if (interrupt.signal.aborted) throw interrupt.end();
    tellPerson(`codex cp: ${failureSentence(error)}\n`);
    throw new ExitCode(FAILED);
  }
}

async function copy(
  { from, to }: { readonly from: string; readonly to: string },
  options: {
    readonly flags: CopyFlags;
    readonly paths: ExecServerRuntimePaths;
    readonly progress: ProgressLine;
    readonly signal: AbortSignal;
  },
): Promise<string> {
  const { flags, paths, progress, signal } = options;
  const { direction, local, remote, url } = parseCopy(from, to);
  const address = serverAddress(url === undefined ? flags : { ...flags, url }, process.env);
  const { client, close } = await openClient(address, paths, { clientName: 'codex-cp' });
  try {
    return await (direction === 'upload' ? upload : download)({
      client,
      local,
      remote,
      recursive: flags.recursive === true,
      force: flags.force === true,
      progress,
      signal,
    });
  } finally {
    await close();
  }
}
