// `find`, `count`, `startswith` and their kin: places are counted in characters.

import { charactersOf } from '../characters.js';
import { unsupported } from '../fault.js';
import type { Machine } from '../machine.js';
import { textArgument, wrongType } from '../native-function.js';
import { TupleValue, type Value } from '../value.js';
import { rangeWithin } from './range-within.js';

interface Part {
  readonly text: string;
  /** The character that the part starts at. */
  readonly start: number;
}

/** Undefined where the start lies behind the end. */
function partOf(text: string, bounds: readonly Value[], machine: Machine): Part | undefined {
  const characters = charactersOf(text, machine.budget);
  const { start, stop } = rangeWithin(bounds, characters.length);
  if (start > stop) return undefined;
  machine.budget.allocate(stop - start);
  return { text: characters.slice(start, stop), start };
}

export function find(
  text: string,
  [wanted, ...bounds]: readonly Value[],
  which: 'first' | 'last',
  machine: Machine,
): bigint {
  const needle = textArgument(wanted, 'what is searched for');
  const part = partOf(text, bounds, machine);
  if (part === undefined) return -1n;
  machine.budget.search(part.text.length, needle.length);
  const at = which === 'first' ? part.text.indexOf(needle) : part.text.lastIndexOf(needle);
  return at === -1 ? -1n : BigInt(part.start + charactersOf(part.text, machine.budget).indexOf(at));
}

export function count(text: string, [wanted, ...bounds]: readonly Value[], machine: Machine): Value {
  const needle = textArgument(wanted, 'what is counted');
  if (needle === '') throw unsupported('counting the empty text');
  const part = partOf(text, bounds, machine);
  if (part === undefined) return 0n;
  machine.budget.search(part.text.length, needle.length);
  machine.budget.allocate(part.text.length);
  return BigInt(part.text.split(needle).length - 1);
}

export function startsWith(text: string, [wanted, ...bounds]: readonly Value[], machine: Machine): Value {
  const part = partOf(text, bounds, machine);
  return part !== undefined && textsOf(wanted).some((prefix) => part.text.startsWith(prefix));
}

export function endsWith(text: string, [wanted, ...bounds]: readonly Value[], machine: Machine): Value {
  const part = partOf(text, bounds, machine);
  return part !== undefined && textsOf(wanted).some((suffix) => part.text.endsWith(suffix));
}

/** A text, or a tuple of them. */
function textsOf(value: Value | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (!(value instanceof TupleValue))
    throw wrongType('the argument', 'a string or a tuple of strings', value);
  return value.items.map((item) => textArgument(item, 'the argument'));
}
