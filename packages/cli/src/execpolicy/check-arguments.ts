// The command line of `codex execpolicy check`, read as Codex reads it: the first word that is none of its flags starts
// the command, even when it looks like a flag.

import { CodedError } from '@codex/exec-protocol';

/** A command line that is none: it ends with 2. */
export class CheckArgumentsError extends CodedError<'EXECPOLICY_FLAGS_INVALID'> {
  constructor(message: string) {
    super('EXECPOLICY_FLAGS_INVALID', message);
  }
}

export interface CheckArguments {
  readonly rules: readonly string[];
  readonly pretty: boolean;
  readonly resolveHostExecutables: boolean;
  readonly command: readonly string[];
}

const SHORT: Readonly<Record<string, string>> = { c: '--config', r: '--rules', h: '--help' };
const WITH_VALUE = ['--config', '--rules', '--enable', '--disable'];
const WITHOUT_VALUE = ['--pretty', '--resolve-host-executables', '--help'];
const FLAG_NAMES: readonly string[] = [...WITH_VALUE, ...WITHOUT_VALUE];

interface Flag {
  readonly name: string;
  /** What is written together with the name: `--rules=FILE`. */
  readonly value: string | undefined;
}

/** `help` where it was asked for. `-c`, `--enable` and `--disable` concern Codex's own configuration: nothing here. */
export function readCheckArguments(words: readonly string[]): CheckArguments | 'help' {
  const rules: string[] = [];
  const given = new Set<string>();
  let at = 0;
  for (; at < words.length; at++) {
    const flag = flagOf(words[at] ?? '');
    if (flag === undefined) break;
    if (flag.name === '--help' && flag.value === undefined) return 'help';
    if (!WITH_VALUE.includes(flag.name)) {
      takeSwitch(flag, given);
      continue;
    }
    const value = flag.value ?? valueAt(words, ++at, flag.name);
    if (flag.name === '--rules') rules.push(nonEmpty(value, flag.name));
  }
  const command = words.slice(words[at] === '--' ? at + 1 : at);
  if (rules.length === 0) throw new CheckArgumentsError('`--rules <path>` is required');
  if (command.length === 0) throw new CheckArgumentsError('the command to check is missing');
  return {
    rules,
    command,
    pretty: given.has('--pretty'),
    resolveHostExecutables: given.has('--resolve-host-executables'),
  };
}

function flagOf(word: string): Flag | undefined {
  if (/^-[crh]+$/.test(word)) {
    const rest = word.slice(2);
    return {
      name: SHORT[word.charAt(1)] ?? '',
      value: word.charAt(1) === 'h' || rest === '' ? undefined : rest,
    };
  }
  const equals = word.indexOf('=');
  const name = equals === -1 ? word : word.slice(0, equals);
  if (!FLAG_NAMES.includes(name)) return undefined;
  return { name, value: equals === -1 ? undefined : word.slice(equals + 1) };
}

function takeSwitch({ name, value }: Flag, given: Set<string>): void {
  if (value !== undefined) throw new CheckArgumentsError(`\`${name}\` takes no value`);
  if (given.has(name)) throw new CheckArgumentsError(`\`${name}\` is given twice`);
  given.add(name);
}

/** Another flag is no value, a word that only looks like one is. */
function valueAt(words: readonly string[], at: number, name: string): string {
  const word = words[at];
  if (word === undefined || word === '--' || flagOf(word) !== undefined) {
    throw new CheckArgumentsError(`\`${name}\` needs a value`);
  }
  return word;
}

function nonEmpty(value: string, name: string): string {
  if (value === '') throw new CheckArgumentsError(`\`${name}\` needs a value`);
  return value;
}
