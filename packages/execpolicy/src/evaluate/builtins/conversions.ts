// `bool`, `dict`, `int`, `list`, `repr`, `str`, `tuple`, `type`.

import { LIMITS } from '../../limits.js';
import { collect } from '../elements.js';
import { Fault, mistake, unsupported } from '../fault.js';
import { smallInteger } from '../integer.js';
import type { Machine } from '../machine.js';
import { bindParameters, nativeFunction, positionalFunction } from '../native-function.js';
import { toRepr, toText } from '../text-form.js';
import {
  type Arguments,
  DictValue,
  described,
  type FunctionValue,
  isTruthy,
  ListValue,
  TupleValue,
  typeName,
  type Value,
} from '../value.js';

export const CONVERSIONS: readonly FunctionValue[] = [
  positionalFunction('bool', [0, 1], ([value = null]) => isTruthy(value)),
  positionalFunction('list', [0, 1], ([value], machine) => {
    return new ListValue(value === undefined ? [] : collect(value, machine.budget));
  }),
  positionalFunction('tuple', [0, 1], ([value], machine) => {
    return new TupleValue(value === undefined ? [] : collect(value, machine.budget));
  }),
  positionalFunction('repr', [1, 1], ([value = null], machine) => toRepr(value, machine.budget)),
  positionalFunction('str', [1, 1], ([value = null], machine) => toText(value, machine.budget)),
  positionalFunction('type', [1, 1], ([value = null]) => typeName(value)),
  nativeFunction('dict', makeDict),
  nativeFunction('int', makeInteger),
];

function makeDict({ positional, named }: Arguments, machine: Machine): Value {
  if (positional.length > 1) throw mistake('`dict` takes one positional argument');
  const dict = new DictValue();
  addEntries(dict, positional[0], machine);
  for (const [name, value] of named) dict.set(name, value);
  return dict;
}

/** From a dict, or from pairs. */
export function addEntries(dict: DictValue, value: Value | undefined, machine: Machine): void {
  if (value === undefined) return;
  if (value instanceof DictValue) {
    for (const [key, inner] of value.entries()) dict.set(key, inner);
    return;
  }
  for (const pair of collect(value, machine.budget)) {
    const [key, inner, ...rest] = collect(pair, machine.budget);
    if (key === undefined || inner === undefined || rest.length > 0) throw mistake('a dict is made of pairs');
    dict.set(key, inner);
  }
}

const PREFIXES: Readonly<Record<string, number>> = { '0x': 16, '0o': 8, '0b': 2 };

function makeInteger(args: Arguments): Value {
  if (args.named.has('value')) throw mistake('`int` has no parameter `value`');
  const values = bindParameters('int', ['value', 'base'], args);
  const value = values.get('value');
  const base = values.get('base');
  if (typeof value === 'string')
    return parseInteger(value, base === undefined ? 10 : smallInteger(base, 'a base'));
  if (base !== undefined) throw mistake('`int` takes a base for text only');
  if (value === undefined) return 0n;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  throw mistake(`${described(value)} cannot be an int`);
}

function parseInteger(text: string, base: number): bigint {
  if (base !== 0 && (base < 2 || base > 36)) throw mistake(`${base} is no base`);
  if (text.includes('_')) throw unsupported('`_` in the text of a number');
  const [, sign = '', unsigned = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const prefix = unsigned.slice(0, 2).toLowerCase();
  const implied = Object.hasOwn(PREFIXES, prefix) ? PREFIXES[prefix] : undefined;
  const isPrefixed = implied !== undefined && (base === 0 || base === implied);
  const radix = isPrefixed ? implied : base === 0 ? 10 : base;
  const digits = isPrefixed ? unsigned.slice(2) : unsigned;
  if (digits.length * 4 > LIMITS.integerBits) throw new Fault('RULES_LIMIT', 'the number is too large');
  let value = 0n;
  for (const digit of digits) {
    const number = /^[0-9a-zA-Z]$/.test(digit) ? Number.parseInt(digit, 36) : radix;
    if (number >= radix) throw mistake(`the text is no number in base ${radix}`);
    value = value * BigInt(radix) + BigInt(number);
  }
  if (digits === '') throw mistake('the text is no number');
  return sign === '-' ? -value : value;
}
