// The table of commands. Each command's module is loaded when the command is called; help and completion list all of
// them.

import type { Command } from 'commander';
import { PROGRAM } from './program-name.js';
import type { ExecServerRuntimePaths } from './runtime-paths.js';

export interface TableEntry {
  readonly text: string;
  /** `words`: those that the command is called with. */
  load(paths: ExecServerRuntimePaths, words?: readonly string[]): Promise<Command>;
}

export const COMMANDS = {
  serve: {
    text: 'Serve processes and files to a coding agent over a websocket or stdio',
    load: async (paths, words?: readonly string[]) =>
      (await import('./exec-server/serve-command.js')).serveCommand(paths, words),
  },
  run: {
    text: 'Run a command on an exec-server, with this terminal',
    load: async (paths) => (await import('./run/run-command.js')).runCommand(paths),
  },
  cp: {
    text: "Copy files between this machine and an exec-server's",
    load: async (paths) => (await import('./cp/cp-command.js')).cpCommand(paths),
  },
  fleet: {
    text: 'Set up, watch and drain the machines of a fleet',
    load: async () => (await import('./fleet/index.js')).fleetCommand(),
  },
  gateway: {
    text: 'Let websocket clients use a fleet',
    load: async () => (await import('./fleet/index.js')).gatewayCommand(),
  },
  ps: {
    text: 'List the processes of an exec-server, whoever started them',
    load: async () => (await import('./observe/ps-command.js')).psCommand(),
  },
  logs: {
    text: 'Print the output of a process of an exec-server',
    load: async () => (await import('./observe/logs-command.js')).logsCommand(),
  },
  attach: {
    text: 'Watch a process of an exec-server, and type into it',
    load: async () => (await import('./observe/attach-command.js')).attachCommand(),
  },
  top: {
    text: 'Watch the sessions and processes of an exec-server',
    load: async () => (await import('./observe/top-command.js')).topCommand(),
  },
  console: {
    text: 'Open the console of an exec-server in the browser',
    load: async () => (await import('./console/console-command.js')).consoleCommand(),
  },
  sandbox: {
    text: 'Run a command in a sandbox',
    load: async (runtimePaths) => (await import('./sandbox/sandbox-command.js')).sandboxCommand(runtimePaths),
  },
  'mcp-server': {
    text: 'Give MCP clients a terminal and files, sandboxed, on stdin and stdout',
    load: async (paths) => (await import('./mcp-server/mcp-server-command.js')).mcpServerCommand(paths),
  },
  execpolicy: {
    text: 'Judge a command by the rule files of Codex',
    load: async () => (await import('./execpolicy/execpolicy-command.js')).execpolicyCommand(),
  },
  'exec-mcp-server': {
    text: 'Serve the MCP tool `shell` on stdio: a sandboxed Bash whose every exec is judged by rules',
    load: async () => (await import('./exec-mcp-server/exec-mcp-server-command.js')).execMcpServerCommand(),
  },
  'execve-wrapper': {
    text: 'Tell where the exec wrapper is that a shell asks before every exec',
    load: async () => (await import('./exec-mcp-server/execve-wrapper-command.js')).execveWrapperCommand(),
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
  /** Help is asked for, about the command of these words below the named one. */
  readonly about?: readonly string[];
}

export function callOf(args: readonly string[]): Call | undefined {
  const [first, ...rest] = args;
  if (first === '-V' || first === '--version') return { name: 'version', args: rest, bare: false };
  if (first === undefined || first.startsWith('-')) return { name: 'serve', args, bare: true };
  if (first === 'help') return helpCall(rest);
  // The name that other Codex programs call the server by.
  const name = first === 'exec-server' ? 'serve' : first;
  return Object.hasOwn(COMMANDS, name) ? { name: name as CommandName, args: rest, bare: false } : undefined;
}

function helpCall([name, ...about]: readonly string[]): Call | undefined {
  const call = callOf(name === undefined ? ['--help'] : [name, '--help']);
  return call && { ...call, about };
}

/** The list of commands, for the help of the whole program. */
export function commandList(): string {
  const width = Math.max(...COMMAND_NAMES.map((name) => name.length));
  const lines = COMMAND_NAMES.map((name) => `  ${name.padEnd(width)}  ${COMMANDS[name].text}`);
  return ['Commands:', ...lines, '', `Without a command it serves. More: ${PROGRAM} help COMMAND`].join('\n');
}
