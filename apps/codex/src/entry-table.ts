// Which names the executable answers to, and what each starts. Hidden helpers are reached by the name of a link, or by
// a flag where there is no link.
import type { ExecServerRuntimePaths } from '@codex/exec-cli';

export type EntryName =
  | 'codex'
  | 'exec-server'
  | 'codex-fs'
  | 'codex-linux-sandbox'
  | 'codex-exec-mcp-server'
  | 'codex-execve-wrapper';

export interface Entry {
  readonly name: EntryName;
  readonly args: readonly string[];
}

const FLAGS: Readonly<Record<string, EntryName>> = {
  '--codex-run-as-fs-helper': 'codex-fs',
  '--codex-run-as-linux-sandbox': 'codex-linux-sandbox',
};

/** `words` is argv with the first two reduced to base names: the interpreter, then the link it was called by. */
export function entryFor(words: readonly string[]): Entry {
  const [, calledAs = 'codex', ...args] = words;
  if (calledAs !== 'codex' && Object.hasOwn(ENTRIES, calledAs)) return { name: calledAs as EntryName, args };
  const [flag = ''] = args;
  const hidden = Object.hasOwn(FLAGS, flag) ? FLAGS[flag] : undefined;
  return hidden === undefined ? { name: 'codex', args } : { name: hidden, args: args.slice(1) };
}

/** What the command line gets from the executable. */
export type EntryOptions = Pick<
  ExecServerRuntimePaths,
  'codexExecutable' | 'holdsOwnFiles' | 'keepCompiledCode'
>;

type EntryPoint = (args: readonly string[], options: EntryOptions) => Promise<number>;

export const ENTRIES: Readonly<Record<EntryName, EntryPoint>> = {
  codex: runCommandLine,
  'exec-server': runCommandLine,
  'codex-fs': async (args) => (await import('@codex/exec-files/helper')).runFsHelper(args),
  'codex-linux-sandbox': async (args) => (await import('./linux-sandbox.js')).runLinuxSandbox(args),
  'codex-exec-mcp-server': (args, options) => runCommandLine(['exec-mcp-server', ...args], options),
  'codex-execve-wrapper': (args, options) => runCommandLine(['execve-wrapper', ...args], options),
};

async function runCommandLine(args: readonly string[], options: EntryOptions): Promise<number> {
  const { runProgram } = await import('@codex/exec-cli');
  return runProgram(args, options);
}
