// Runs one command line. A usage error exits with 2, any other failure with 1 and one sentence.

import { oldNodeComplaint } from '@codex/exec-protocol';
import { Command, CommanderError } from 'commander';
import { type Call, COMMAND_NAMES, COMMANDS, callOf, commandList, type TableEntry } from './command-table.js';
import { ExitCode } from './exit-code.js';
import { printError, printText, whyUnwritten } from './print-text.js';
import { PROGRAM } from './program-name.js';
import type { ExecServerRuntimePaths } from './runtime-paths.js';
import { unlessStranded } from './unless-stranded.js';

const USAGE_ERROR = 2;
const FAILURE = 1;

/** Runs one command line (without the program's own name) and returns the exit code. */
export async function runProgram(
  args: readonly string[],
  runtimePaths: ExecServerRuntimePaths,
): Promise<number> {
  const complaint = oldNodeComplaint();
  if (complaint !== undefined) {
    printError(`Error: ${complaint}\n`);
    return FAILURE;
  }
  const code = await codeOf(args, runtimePaths);
  const why = whyUnwritten();
  if (why === undefined || code !== 0) return code;
  printError(`Error: cannot write the output: ${why}\n`);
  return FAILURE;
}

async function codeOf(args: readonly string[], runtimePaths: ExecServerRuntimePaths): Promise<number> {
  try {
    refuseForward(args);
    const call = callOf(args);
    if (call === undefined) complainAbout(args[0] === 'help' ? args.slice(1) : args);
    else await unlessStranded(() => runCall(call, runtimePaths));
    return 0;
  } catch (error) {
    if (error instanceof ExitCode) return error.code;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
    printError(`Error: ${error instanceof Error ? error.message : String(error)}\n`);
    return FAILURE;
  }
}

async function runCall(call: Call, runtimePaths: ExecServerRuntimePaths): Promise<void> {
  const { name, bare } = call;
  const root = rootCommand();
  const { text, load }: TableEntry = COMMANDS[name];
  const command = settle(await load(runtimePaths, call.args), root);
  const args = [...wordsBelow(command, call.about), ...call.args];
  if (bare) {
    await command.name(PROGRAM).description(`${text}\n\n${commandList()}`).parseAsync(args, { from: 'user' });
    return;
  }
  root.addCommand(command.description(text));
  await root.parseAsync([name, ...args], { from: 'user' });
}

/** Commands below commands too, which would end the process by themselves and with a code of their own. */
function settle(command: Command, root: Command): Command {
  for (const below of command.commands) settle(below, root);
  return command.copyInheritedSettings(root);
}

/** Only names of commands: behind any other word `--help` could belong to a command that is run. */
function wordsBelow(command: Command, words: readonly string[] = []): readonly string[] {
  const [first, ...rest] = words;
  const below = command.commands.find((candidate) => candidate.name() === first);
  return below === undefined ? [] : [below.name(), ...wordsBelow(below, rest)];
}

/** A command of the real program that has no counterpart here. */
function refuseForward(args: readonly string[]): void {
  const word = args[0] === 'exec-server' ? args[1] : args[0];
  if (word !== 'forward') return;
  printError(
    "Error: `forward` is a command of OpenAI's `codex exec-server`: run that one, with --connect and this server's address\n",
  );
  throw new ExitCode(FAILURE);
}

/** Its sentence names the command that was probably meant. */
function complainAbout(args: readonly string[]): void {
  const root = rootCommand();
  for (const name of COMMAND_NAMES) root.command(name);
  root.parse(args, { from: 'user' });
}

function rootCommand(): Command {
  return (
    new Command(PROGRAM)
      .exitOverride()
      .configureOutput({ writeOut: printText, writeErr: printError })
      .showHelpAfterError("For more information, try '--help'.")
      // Options stop at the first word of a command that is run.
      .enablePositionalOptions()
      .helpCommand(false)
  );
}
