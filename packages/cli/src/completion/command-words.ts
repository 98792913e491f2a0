// What can follow a command, as data: the same for every shell.

import type { Argument, Command, Option } from 'commander';

export interface OptionWords {
  /** `--listen`, and `-q` where there is one. */
  readonly names: readonly string[];
  readonly text: string;
  readonly value: ValueKind;
}

export type ValueKind =
  | { readonly kind: 'none' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
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
  const options = command.options.filter(({ hidden }) => !hidden).map(optionWords);
  return {
    name: command.name(),
    text: command.description(),
    options: [...options, { names: ['-h', '--help'], text: 'display help', value: { kind: 'none' } }],
    operands: operandsOf(command.registeredArguments),
  };
}

const PATH_VALUES = /<(?:path|file)>/;

function optionWords(option: Option): OptionWords {
  const names = [option.short, option.long].flatMap((name) => (name == null ? [] : [name]));
  return { names, text: option.description.split('\n')[0] ?? '', value: valueKind(option) };
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
