// The words that follow the program's name. Each command is loaded when it is called; help and completion list them all.

import type { Command } from 'commander';
import type { ExecServerRuntimePaths } from './exec-server/runtime-paths.js';
import { PROGRAM } from './program-name.js';

interface TableEntry {
  readonly text: string;
  load(paths: ExecServerRuntimePaths): Promise<Command>;
}

export const COMMANDS = {
  serve: {
    text: 'Serve processes and files to a coding agent over a websocket or stdio',
    load: async (paths) => (await import('./exec-server/serve-command.js')).serveCommand(paths),
  },
  run: {
    text: 'Run a command on an exec-server, with this terminal',
    load: async (paths) => (await import('./run/run-command.js')).runCommand(paths),
  },
  cp: {
    text: "Copy files between this machine and an exec-server's",
    load: async (paths) => (await import('./cp/cp-command.js')).cpCommand(paths),
  },
  sandbox: {
    text: 'Run a command in a sandbox',
    load: async () => (await import('./sandbox/sandbox-command.js')).sandboxCommand(),
  },
  execpolicy: {
    text: 'Judge a command by the rule files of Codex',
    load: async () => (await import('./execpolicy/execpolicy-command.js')).execpolicyCommand(),
  },
  doctor: {
    text: 'Tell what this host can enforce, what is missing, and how to fix it',
    load: async (paths) => (await import('./doctor/doctor-command.js')).doctorCommand(paths),
  },
  completion: {
    text: 'Print the completion script of a shell',
    load: async (paths) =>
      (await import('./completion/completion-command.js')).completionCommand(() => loadAll(paths)),
  },
  version: {
    text: 'Print the version',
    load: async () => (await import('./version-command.js')).versionCommand(),
  },
} as const satisfies Readonly<Record<string, TableEntry>>;

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

/** Every command with its name and its text. */
async function loadAll(paths: ExecServerRuntimePaths): Promise<Command[]> {
  const commands: Command[] = [];
  for (const name of COMMAND_NAMES) {
    const { text, load }: TableEntry = COMMANDS[name];
    commands.push((await load(paths)).name(name).description(text));
  }
  return commands;
}

/** What a command line means: a command and its words. Undefined when the first word is no command. */
export interface Call {
  readonly name: CommandName;
  readonly args: readonly string[];
  /** No command was named: the program serves, and its help is about all of it. */
  readonly bare: boolean;
}

export function callOf(args: readonly string[]): Call | undefined {
  const [first, ...rest] = args;
  if (first === '-V' || first === '--version') return { name: 'version', args: rest, bare: false };
  if (first === undefined || first.startsWith('-')) return { name: 'serve', args, bare: true };
  if (first === 'help') return rest[0] === undefined ? callOf(['--help']) : callOf([rest[0], '--help']);
  // The name that other Codex programs call the server by.
  const name = first === 'exec-server' ? 'serve' : first;
  return Object.hasOwn(COMMANDS, name) ? { name: name as CommandName, args: rest, bare: false } : undefined;
}

/** The list of commands, for the help of the whole program. */
export function commandList(): string {
  const width = Math.max(...COMMAND_NAMES.map((name) => name.length));
  const lines = COMMAND_NAMES.map((name) => `  ${name.padEnd(width)}  ${COMMANDS[name].text}`);
  return ['Commands:', ...lines, '', `Without a command it serves. More: ${PROGRAM} help COMMAND`].join('\n');
}
