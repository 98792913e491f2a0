// Functions that this program provides, and what they ask of their arguments.

import { mistake } from './fault.js';
import type { Machine } from './machine.js';
import { type Arguments, described, FunctionValue, type Value } from './value.js';

export type NativeBody = (values: readonly Value[], machine: Machine) => Value;

/** A function whose arguments have no names: between `least` and `most` of them. */
export function positionalFunction(
  name: string,
  [least, most]: readonly [least: number, most: number],
  body: NativeBody,
): FunctionValue {
  return nativeFunction(name, ({ positional, named }, machine) => {
    for (const given of named.keys()) throw mistake(`\`${name}\` has no parameter \`${given}\``);
    if (positional.length < least || positional.length > most) {
      throw mistake(`\`${name}\` does not take ${positional.length} arguments`);
    }
    return body(positional, machine);
  });
}

/** Calls of these count like any other. */
export function nativeFunction(
  name: string,
  body: (args: Arguments, machine: Machine) => Value,
): FunctionValue {
  return new FunctionValue(name, (args, machine) => machine.budget.call(() => body(args, machine)));
}

/** The arguments by the names of the parameters: positional ones first, then named ones. */
export function bindParameters(
  callee: string,
  parameters: readonly string[],
  { positional, named }: Arguments,
): Map<string, Value> {
  if (positional.length > parameters.length)
    throw mistake(`\`${callee}\` does not take ${positional.length} arguments`);
  const values = new Map<string, Value>();
  positional.forEach((value, index) => {
    values.set(parameters[index] ?? '', value);
  });
  for (const [name, value] of named) {
    if (!parameters.includes(name)) throw mistake(`\`${callee}\` has no parameter \`${name}\``);
    if (values.has(name)) throw mistake(`the argument \`${name}\` is given twice`);
    values.set(name, value);
  }
  return values;
}

export function textArgument(value: Value | undefined, what: string): string {
  if (typeof value !== 'string') throw wrongType(what, 'a string', value);
  return value;
}

export function boolArgument(value: Value | undefined, what: string): boolean {
  if (typeof value !== 'boolean') throw wrongType(what, 'a bool', value);
  return value;
}

export function wrongType(what: string, wanted: string, value: Value | undefined) {
  return mistake(
    `${what} has to be ${wanted}, not ${value === undefined ? 'left out' : `${described(value)}`}`,
  );
}
