// `exec-server exec-mcp-server`: an MCP server on stdio whose tool `shell` judges every exec by the user's rules.
import { Command, Option } from 'commander';
import { ExitCode } from '../exit-code.js';
import { printError, printJson, printText } from '../print-text.js';
import { wholeNumber } from '../whole-number.js';
import { SANDBOX_MODES, ShellServerFlagError, type ShellServerFlags } from './shell-server-flags.js';

const USAGE_ERROR = 2;
const DEFAULT_OUTPUT_BYTES = 256 * 1024;

const NOTES = `
Rules are read from /etc/codex/rules, $CODEX_HOME/rules (default ~/.codex/rules) and --rules, never from the project. A
broken file ends the server at its start; later the rules from before stay in force, and stderr says so.

The sandbox flags are for clients that send no sandbox state of their own with a call. Codex does.

In the configuration of a client:
  "shell": { "command": "exec-server", "args": ["exec-mcp-server"] }`;

export function execMcpServerCommand(): Command {
  const list = (value: string, before: string[] | undefined) => [...(before ?? []), value];
  return new Command('exec-mcp-server')
    .option('--bash <path>', 'a patched Bash (default: the best that is found, see --print-paths)')
    .option('--execve <path>', 'the exec wrapper (default: that of this package)')
    .option('--preserve-program-paths', 'rules see the paths of programs only, not their names')
    .addOption(
      new Option('--sandbox <mode>', 'where a client sends no sandbox state')
        .choices(SANDBOX_MODES)
        .default('workspace-write'),
    )
    .option('--writable-root <path>', 'a writable folder besides the workspace; may be repeated', list)
    .option('--rules <file>', 'a further rule file; may be repeated', list)
    .option('--audit-log <file>', 'append a line of JSON for every exec')
    .option(
      '--escalate-env <name>',
      'a variable (or NAME_*) that programs outside the sandbox take over; may be repeated',
      list,
    )
    .option('--max-output-bytes <n>', 'of a result', wholeNumber, DEFAULT_OUTPUT_BYTES)
    .option(
      '--default-timeout-ms <n>',
      'for calls without timeout_ms (default: 10000, or --max-timeout-ms where that is less)',
      wholeNumber,
    )
    .option('--max-timeout-ms <n>', 'the longest timeout_ms of a call (default: no limit)', wholeNumber)
    .option('--print-paths', 'print which wrapper and which shell would be used, as JSON, and exit')
    .option('--version', 'print the version')
    .addHelpText('after', NOTES)
    .action((flags: ShellServerFlags & { version?: boolean }) => runInWords(flags));
}

async function runInWords(flags: ShellServerFlags & { version?: boolean }): Promise<void> {
  const server = await import('./run-shell-server.js');
  if (flags.version === true) {
    printText(`${server.SERVER_VERSION}\n`);
    return;
  }
  try {
    if (flags.printPaths === true) printJson(await server.printedPaths(flags));
    else await server.runShellServer(flags);
  } catch (error) {
    const isUsage =
      error instanceof ShellServerFlagError ||
      (error instanceof Error && Reflect.get(error, 'code') === 'ESCALATE_ENV_REFUSED');
    if (!isUsage) throw error;
    printError(`error: ${error.message}\n\nFor more information, try '--help'.\n`);
    throw new ExitCode(USAGE_ERROR);
  }
}
