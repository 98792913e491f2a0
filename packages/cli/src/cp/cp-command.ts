// `exec-server cp FROM TO`: files and directories between this machine and an exec-server's.

import { Command } from 'commander';
import { errorCode } from '../connect/error-code.js';
import { failureSentence } from '../connect/failure-sentence.js';
import { openClient } from '../connect/open-client.js';
import { addServerFlags, type ServerFlags, serverAddress } from '../connect/server-flags.js';
import { ExitCode, READER_LEFT } from '../exit-code.js';
import { printError, printJson } from '../print-text.js';
import type { ExecServerRuntimePaths } from '../runtime-paths.js';
import { CopyError, errnoOf } from './copy-error.js';
import { CopyInterrupt } from './copy-interrupt.js';
import type { CopyJob } from './copy-job.js';
import { parseCopy } from './copy-place.js';
import { download } from './download.js';
import { ProgressLine } from './progress-line.js';
import { downloadToOutput, isStandardStream, uploadInput } from './standard-streams.js';
import { upload } from './upload.js';

const FAILED = 1;

const NOTES = `
One of FROM and TO is on the server:
  :PATH                  on the server of --url; relative paths start at the server's own directory
  ws://HOST:PORT:PATH    on that server (wss:// as well)
  PATH                   on this machine; ./:NAME for a name that starts with a colon
  -                      the standard input as FROM, the standard output as TO (./- for a file of that name)

A directory that exists as TO gets the copy inside. Nothing is overwritten without --force. The copy
has its name only when it is whole (on servers that can rename). Permissions and times are kept, and the
links of a directory; others may do with the copy no more than with its source. Links that lead out of a
directory, sockets and devices are left out and told. (On servers that do not take whole trees, links are
followed, times are not kept, and what others may not read here they may not read there.)

Examples:
  exec-server cp --url ws://127.0.0.1:7777 report.pdf :/srv/reports/
  exec-server cp --url ws://127.0.0.1:7777 :/var/log/syslog - | grep oom
  exec-server cp --recursive ws://127.0.0.1:7777:/var/log/app ./logs

Exit codes:
    0  copied
    1  not copied; one sentence on stderr says why
    2  wrong flags
  130  interrupted (143 by SIGTERM); nothing of the copy is left`;

interface CopyFlags extends ServerFlags {
  readonly recursive?: boolean;
  readonly force?: boolean;
  readonly exclude?: readonly string[];
  readonly quiet?: boolean;
  readonly json?: boolean;
}

export function cpCommand(paths: ExecServerRuntimePaths): Command {
  const command = new Command('cp')
    .usage('[options] FROM TO')
    .argument('<from>', 'what to copy')
    .argument('<to>', 'where to');
  return addServerFlags(command)
    .option('-r, --recursive', 'copy a directory with everything in it')
    .option('-f, --force', 'replace what exists')
    .option(
      '--exclude <pattern>',
      'leave out what matches, as a line of a .gitignore (may be repeated)',
      (pattern: string, before: readonly string[] = []) => [...before, pattern],
    )
    .option('-q, --quiet', 'no progress and no line at the end')
    .option('--json', 'no progress; what was copied, or why nothing was, as one line of JSON on stdout')
    .addHelpText('after', NOTES)
    .action((from: string, to: string, flags: CopyFlags) => act({ from, to }, flags, paths));
}

async function act(
  places: { readonly from: string; readonly to: string },
  flags: CopyFlags,
  paths: ExecServerRuntimePaths,
): Promise<void> {
  const quiet = flags.quiet === true || flags.json === true;
  const progress = new ProgressLine(process.stderr, { quiet });
  using interrupt = new CopyInterrupt();
  try {
    const target = await copy(places, { flags, paths, progress, signal: interrupt.signal });
    const sentence = progress.done();
    if (flags.json === true) printJson({ from: places.from, to: target, ...progress.summary });
    else if (!quiet) printError(`${sentence} to ${target}\n`);
  } catch (error) {
    progress.clear();
    if (interrupt.signal.aborted) throw interrupt.end();
    if (errnoOf(error) === 'EPIPE') throw new ExitCode(READER_LEFT);
    if (flags.json === true)
      printJson({ error: { code: errorCode(error), message: failureSentence(error) } });
    else printError(`exec-server cp: ${failureSentence(error)}\n`);
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
  if (flags.json === true && isStandardStream(to))
    throw new CopyError('`--json` and `-` both want the standard output');
  const address = serverAddress(url === undefined ? flags : { ...flags, url }, process.env);
  const { client, close } = await openClient(address, paths, { clientName: 'codex-cp' });
  try {
    return await copierOf(
      direction,
      local,
    )({
      client,
      local,
      remote,
      recursive: flags.recursive === true,
      force: flags.force === true,
      exclude: flags.exclude ?? [],
      progress,
      signal,
    });
  } finally {
    await close();
  }
}

function copierOf(direction: 'upload' | 'download', local: string): (job: CopyJob) => Promise<string> {
  if (direction === 'upload') return isStandardStream(local) ? uploadInput : upload;
  return isStandardStream(local) ? downloadToOutput : download;
}
