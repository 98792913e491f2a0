// The `codex` command line. Errors of use end with 2, everything else that goes wrong with 1 and one sentence.

import { VERSION } from '@codex/exec-server-core/defaults';
import { Command, CommanderError } from 'commander';
import type { ExecServerRuntimePaths } from './exec-server/runtime-paths.js';
import { ExitCode } from './exit-code.js';

const USAGE_ERROR = 2;
const FAILURE = 1;

/** Each command is loaded when it is called by name, or when help lists them all. */
const COMMANDS = {
  'exec-server': async (paths: ExecServerRuntimePaths) =>
    (await import('./exec-server/exec-server-command.js')).execServerCommand(paths),
  run: async (paths: ExecServerRuntimePaths) => (await import('./run/run-command.js')).runCommand(paths),
  cp: async (paths: ExecServerRuntimePaths) => (await import('./cp/cp-command.js')).cpCommand(paths),
  sandbox: async () => (await import('./sandbox/sandbox-command.js')).sandboxCommand(),
  doctor: async (paths: ExecServerRuntimePaths) =>
    (await import('./doctor/doctor-command.js')).doctorCommand(paths),
};

/** Runs one command line (without the program's own name) and returns the exit code. */
export async function runProgram(
  args: readonly string[],
  runtimePaths: ExecServerRuntimePaths,
): Promise<number> {
  const program = new Command('codex')
    .description('Tools around the codex exec-server')
    .version(VERSION, '-V, --version')
    .exitOverride()
    .showHelpAfterError("For more information, try '--help'.");
  try {
    for (const [name, load] of Object.entries(COMMANDS)) {
      if (isCommand(args[0]) && args[0] !== name) continue;
      program.addCommand((await load(runtimePaths)).copyInheritedSettings(program));
    }
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof ExitCode) return error.code;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`);
    return FAILURE;
  }
}

function isCommand(word: string | undefined): boolean {
  return word !== undefined && Object.hasOwn(COMMANDS, word);
}
