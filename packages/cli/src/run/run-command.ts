// `exec-server run -- CMD`: runs a command on an exec-server as if it ran here.

import type { ConnectionEvent, RemoteProcess } from '@codex/exec-client';
import { Command, Option } from 'commander';
import { failureSentence } from '../connect/failure-sentence.js';
import { openClient } from '../connect/open-client.js';
import { ReceiveGate } from '../connect/receive-gate.js';
import { addServerFlags, type ServerFlags, serverAddress } from '../connect/server-flags.js';
import { ExitCode } from '../exit-code.js';
import { printError, printJson } from '../print-text.js';
import type { ExecServerRuntimePaths } from '../runtime-paths.js';
import { unlessStranded } from '../unless-stranded.js';
import { codeOfFailure, EXIT_CODE_HELP, TOOL_FAILED } from './exit-codes.js';
import { collectVariable, parseDuration, RunFlagError } from './run-flags.js';
import { failureReport } from './run-report.js';
import { connectionNote, type RunEnd, type RunFlags, RunSession } from './run-session.js';
import { SANDBOX_MODES, SANDBOX_NETWORKS } from './sandbox-flag.js';

const NOTES = `
Ctrl-C interrupts the command; a second one stops it. With --tty every key goes to the command, and
Ctrl-] three times within a second stops it. The run ends with the command: what it leaves in the
background is ended with it.

Examples:
  exec-server run make test
  exec-server run --url ws://127.0.0.1:7777 --tty -- bash
  tar c src | exec-server run --url wss://build.example --token-file ~/.token --cwd /project -- tar x
  exec-server run --sandbox read-only --timeout 30s -- ./untrusted`;

export function runCommand(paths: ExecServerRuntimePaths): Command {
  const command = new ToolCommand('run')
    .usage('[options] [--] COMMAND [ARGUMENTS...]')
    .passThroughOptions()
    .argument('<command...>', 'the command and its arguments');
  addServerFlags(command)
    .option('-t, --tty', 'give the command a terminal; raw keys and resizes are passed on')
    .option('--no-stdin', 'the command gets an empty input, and this one is not read')
    .option('--cwd <path>', "where it runs; relative paths start at the server's own directory")
    .option('--env <name=value>', 'set a variable; NAME alone takes the value it has here', variable)
    .option('--timeout <time>', 'stop it after 90, 1.5s, 500ms, 10m, 2h', parseDuration)
    .option('--reconnect <time>', 'how long to try after the connection broke (default: 45s)', parseDuration)
    .addOption(new Option('--sandbox <mode>', 'what it may do to files').choices(SANDBOX_MODES))
    .addOption(
      new Option('--network <network>', 'what it may reach (default with --sandbox: restricted)').choices(
        SANDBOX_NETWORKS,
      ),
    )
    .option('--writable <path>', 'writable besides its directory; may be repeated', collect)
    .option('--json', 'instead of its output, print how it ended and what it printed as one line of JSON')
    .addHelpText('after', `${EXIT_CODE_HELP}\n${NOTES}`)
    .action((argv: [string, ...string[]], flags: RunFlags & ServerFlags) => act(argv, flags, paths));
  return command;
}

/** Usage errors end with the tool's own code: the usual 2 may be the command's. */
class ToolCommand extends Command {
  override copyInheritedSettings(source: Command): this {
    return super.copyInheritedSettings(source).exitOverride((error) => {
      throw error.exitCode === 0 ? error : new ExitCode(TOOL_FAILED);
    });
  }
}

async function act(
  argv: [string, ...string[]],
  flags: RunFlags & ServerFlags,
  paths: ExecServerRuntimePaths,
): Promise<void> {
  let end: RunEnd;
  try {
    if (flags.json === true && flags.tty === true)
      throw new RunFlagError('`--json` and `--tty` do not go together');
    end = await unlessStranded(() => runOnServer(argv, flags, paths));
  } catch (error) {
    const code = codeOfFailure(error);
    if (flags.json === true) printJson(failureReport(error, code));
    else printError(`exec-server run: ${failureSentence(error)}\n`);
    throw new ExitCode(code);
  }
  if (end.report !== undefined) printJson(end.report);
  if (end.dieBy !== undefined) process.kill(process.pid, end.dieBy);
  if (end.code !== 0) throw new ExitCode(end.code);
}

async function runOnServer(
  argv: [string, ...string[]],
  flags: RunFlags & ServerFlags,
  paths: ExecServerRuntimePaths,
): Promise<RunEnd> {
  let running: RemoteProcess | undefined;
  let session: RunSession | undefined;
  const gate = new ReceiveGate(() => running?.state === 'running');
  const { client, close } = await openClient(serverAddress(flags, process.env), paths, {
    clientName: 'codex-run',
    ...(flags.reconnect === undefined ? {} : { reconnect: { maxElapsedMs: flags.reconnect } }),
    wrap: (channel) => gate.wrap(channel),
    onEvent: (event: ConnectionEvent) => {
      const text = connectionNote(event);
      if (text !== undefined) session?.note(text);
    },
  });
  try {
    session = new RunSession(client, gate, flags);
    return await session.run(argv, (process) => {
      running = process;
    });
  } finally {
    await close();
  }
}

function variable(text: string, collected?: Record<string, string>): Record<string, string> {
  return collectVariable(text, collected);
}

function collect(path: string, collected: readonly string[] = []): string[] {
  return [...collected, path];
}
