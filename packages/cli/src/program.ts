// The `codex` command line. Errors of use end with 2, everything else that goes wrong with 1 and one sentence.

import { VERSION } from '@codex/exec-server-core';
import { Command, CommanderError } from 'commander';
import { execServerCommand } from './exec-server/exec-server-command.js';
import type { ExecServerRuntimePaths } from './exec-server/runtime-paths.js';

const USAGE_ERROR = 2;
const FAILURE = 1;

export function createProgram(runtimePaths: ExecServerRuntimePaths): Command {
  const program = new Command('codex')
    .description('Tools around the codex exec-server')
    .version(VERSION, '-V, --version')
    .exitOverride()
    .showHelpAfterError("For more information, try '--help'.");
  for (const command of [execServerCommand(runtimePaths)]) {
    program.addCommand(command.copyInheritedSettings(program));
  }
  return program;
}

/** Runs one command line (without the program's own name) and returns the exit code. */
export async function runProgram(
  args: readonly string[],
  runtimePaths: ExecServerRuntimePaths,
): Promise<number> {
  try {
    await createProgram(runtimePaths).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
    process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`);
    return FAILURE;
  }
}
