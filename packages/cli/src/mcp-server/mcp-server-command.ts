// `exec-server mcp-server`: a terminal and files for MCP clients, on stdin and stdout.
//
// What commands may do is fixed here, by the operator who starts the server. Nothing that a client or a model sends changes it.

import { type ExecServerClient, ExecServerError } from '@codex/exec-client';
import { pathToFileUri } from '@codex/exec-protocol';
import { VERSION } from '@codex/exec-server-core/defaults';
import { Command, Option } from 'commander';
import { failureSentence } from '../connect/failure-sentence.js';
import { openClient } from '../connect/open-client.js';
import { addServerFlags, type ServerFlags, serverAddress } from '../connect/server-flags.js';
import { ExitCode } from '../exit-code.js';
import { leaveUnread } from '../leave-soon.js';
import { printError } from '../print-text.js';
import { RunFlagError } from '../run/run-flags.js';
import { SANDBOX_MODES, SANDBOX_NETWORKS, type SandboxFlags, sandboxFromFlags } from '../run/sandbox-flag.js';
import { serverPath } from '../run/server-path.js';
import type { ExecServerRuntimePaths } from '../runtime-paths.js';
import { abortOnStopSignals } from '../shutdown-signals.js';

interface McpServerFlags extends SandboxFlags, ServerFlags {
  readonly cwd?: string;
  readonly approvals: (typeof APPROVALS)[number];
  readonly rules?: readonly string[];
}

const APPROVALS = ['never', 'on-request', 'on-failure', 'untrusted'] as const;
const FAILURE = 1;
/** For the answers of calls that were open when the server was lost. */
const ANSWERS_MS = 500;

const NOTES = `
Tools: exec_command, write_stdin, apply_patch, list_sessions, read_file, write_file, list_directory. It speaks MCP
2024-11-05 to 2025-11-25 and 2026-07-28 on stdin and stdout, and ends with its input; commands that still run end with it.
Who approves is the user of the client (elicitation); where a client cannot ask, what needs an approval is refused.

  never        nobody is asked, nothing leaves the sandbox
  on-request   asked when the model wants a command to leave the sandbox
  on-failure   asked, too, when the sandbox denied a command
  untrusted    asked about every command that no rule allows

Examples:
  exec-server mcp-server --cwd /home/me/project
  exec-server mcp-server --sandbox read-only --approvals on-failure --rules ~/.codex/rules/default.rules
  exec-server mcp-server --url wss://build.example --token-file ~/.token --cwd /project`;

export function mcpServerCommand(paths: ExecServerRuntimePaths): Command {
  const collect = (value: string, values: readonly string[] = []): string[] => [...values, value];
  return addServerFlags(new Command('mcp-server'))
    .option('--cwd <path>', "the workspace: where commands run (default: the server's own directory)")
    .addOption(
      new Option('--sandbox <mode>', 'what commands and file tools may do to files')
        .choices(SANDBOX_MODES)
        .default('workspace-write'),
    )
    .addOption(
      new Option('--network <network>', 'what commands may reach (default: restricted)').choices(
        SANDBOX_NETWORKS,
      ),
    )
    .option('--writable <path>', 'writable besides the workspace; may be repeated', collect)
    .addOption(
      new Option('--approvals <policy>', 'when the user is asked').choices(APPROVALS).default('on-request'),
    )
    .option('--rules <file>', 'a rule file of Codex; may be repeated', collect)
    .addHelpText('after', NOTES)
    .action((flags: McpServerFlags) => serve(flags, paths));
}

async function serve(flags: McpServerFlags, paths: ExecServerRuntimePaths): Promise<void> {
  let problem: string | undefined;
  try {
    problem = await serveUntilClosed(flags, paths);
  } catch (error) {
    problem = failureSentence(error);
  } finally {
    leaveUnread();
  }
  if (problem === undefined) return;
  note(problem);
  throw new ExitCode(FAILURE);
}

/** Resolves with a sentence when it ended for another reason than the end of its input. */
async function serveUntilClosed(
  flags: McpServerFlags,
  paths: ExecServerRuntimePaths,
): Promise<string | undefined> {
  const stop = abortOnStopSignals();
  const address = serverAddress(flags, process.env);
  const rules = await readRules(flags.rules);
  const { serveTerminal } = await import('@codex/exec-mcp');
  const gone = new AbortController();
  const { client, close } = await openClient(address, paths, {
    clientName: 'codex-mcp-server',
    onEvent: ({ type, reason = '' }) => {
      if (type === 'reconnecting') note(`${reason}; trying to connect again`);
      if (type === 'reconnected') note('connected again');
      if (type === 'lost') gone.abort(reason);
    },
  });
  try {
    const cwd = serverPath(flags.cwd ?? '.', client.info);
    await requireFolder(client, cwd);
    const toUri = (path: string): string => pathToFileUri(serverPath(path, client.info));
    const sandbox = sandboxFromFlags(flags, { cwd, toUri });
    const connection = serveTerminal({
      client,
      version: VERSION,
      cwd,
      approvals: flags.approvals,
      ...(sandbox === undefined || flags.sandbox === 'full-access' ? {} : { sandbox }),
      ...(rules === undefined ? {} : { rules }),
      streams: { onProblem: note },
    });
    stop.signal.addEventListener('abort', () => void connection.close());
    // Without its server it could only refuse: its client starts it again, or tells its user. Open calls are answered first.
    gone.signal.addEventListener('abort', () => void setTimeout(() => void connection.close(), ANSWERS_MS));
    await connection.closed;
    return gone.signal.aborted ? failureSentence(gone.signal.reason) : undefined;
  } finally {
    await close();
  }
}

/** Otherwise every command would fail, and a model would be told to look for its own mistake. */
async function requireFolder(client: ExecServerClient, path: string): Promise<void> {
  const found = await client.fs.stat(path).catch((error: unknown) => {
    throw ExecServerError.is(error, 'fs.notFound') ? noFolder(path) : error;
  });
  if (found.kind !== 'directory') throw noFolder(path);
}

function noFolder(path: string): RunFlagError {
  return new RunFlagError(`\`--cwd\` is a folder on the server's machine, and ${path} is none`);
}

async function readRules(files: readonly string[] | undefined) {
  if (files === undefined) return undefined;
  const { readPolicy } = await import('@codex/execpolicy');
  return readPolicy(files);
}

function note(sentence: string): void {
  printError(`exec-server mcp-server: ${sentence}\n`);
}
