// Describes a command's options and operands as data, from which the script of every shell is made.

import type { Argument, Command, Option } from 'commander';
import { SUGGESTED_VALUES, type SuggestedValues } from './suggested-values.js';

export interface OptionWords {
  /** `--listen`, and `-q` where there is one. */
  readonly names: readonly string[];
  readonly text: string;
  readonly value: ValueKind;
}

export type ValueKind =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'choice' } & SuggestedValues)
  | { readonly kind: 'path' }
  | { readonly kind: 'other' };

export interface CommandWords {
  readonly name: string;
  readonly text: string;
  readonly options: readonly OptionWords[];
  /** What stands where no option does: a command to run, a path, one of some words, or nothing. */
  readonly operands: ValueKind | { readonly kind: 'command' };
}

export function commandWords(command: Command): CommandWords {
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => optionWords(option, SUGGESTED_VALUES[`${command.name()} ${option.long}`]));
  return {
    name: command.name(),
    text: command.description(),
    options: [...options, { names: ['-h', '--help'], text: 'display help', value: { kind: 'none' } }],
    operands: operandsOf(command.registeredArguments),
  };
}

/** `help` is no command of its own; what follows it is the name of one. */
export function helpWords(commands: readonly CommandWords[]): CommandWords {
  const choices = commands.map(({ name }) => name);
  return { name: 'help', text: 'Help on a command', options: [], operands: { kind: 'choice', choices } };
}

const PATH_VALUES = /<(?:path|file)>/;

function optionWords(option: Option, suggested: SuggestedValues | undefined): OptionWords {
  const names = [option.short, option.long].flatMap((name) => (name == null ? [] : [name]));
  return {
    names,
    text: option.description.split('\n')[0] ?? '',
    value: suggested === undefined ? valueKind(option) : { kind: 'choice', ...suggested },
  };
}

function valueKind({ required, optional, argChoices, flags }: Option): ValueKind {
  if (!required && !optional) return { kind: 'none' };
  if (argChoices !== undefined) return { kind: 'choice', choices: argChoices };
  return { kind: PATH_VALUES.test(flags) ? 'path' : 'other' };
}

function operandsOf([first]: readonly Argument[]): CommandWords['operands'] {
  if (first === undefined) return { kind: 'none' };
  if (first.argChoices !== undefined) return { kind: 'choice', choices: first.argChoices };
  return { kind: first.variadic ? 'command' : 'path' };
}
