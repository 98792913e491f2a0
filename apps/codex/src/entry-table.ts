// Which names the executable answers to, and what each starts.
import { fileURLToPath } from 'node:url';

export type EntryName = 'codex' | 'exec-server';

export interface Entry {
  readonly name: EntryName;
  readonly args: readonly string[];
}

/** `words` is argv with the first two reduced to base names: the interpreter, then the link it was called by. */
export function entryFor(words: readonly string[]): Entry {
  const [, calledAs = 'codex', ...args] = words;
  return calledAs === 'exec-server' ? { name: 'exec-server', args } : { name: 'codex', args };
}

type EntryPoint = (args: readonly string[]) => Promise<number>;

export const ENTRIES: Readonly<Record<EntryName, EntryPoint>> = {
  codex: runCommandLine,
  'exec-server': (args) => runCommandLine(['exec-server', ...args]),
};

async function runCommandLine(args: readonly string[]): Promise<number> {
  const { runProgram } = await import('@codex/exec-cli');
  return runProgram(args, { codexExecutable: fileURLToPath(import.meta.url) });
}
