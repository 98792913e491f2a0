// `all`, `any`, `enumerate`, `len`, `max`, `min`, `range`, `reversed`, `sorted`, `zip`, and `fail`.

import { charactersOf } from '../characters.js';
import { BYTES_PER_ELEMENT, collect, elementsOf } from '../elements.js';
import { mistake } from '../fault.js';
import { smallInteger } from '../integer.js';
import type { Machine } from '../machine.js';
import { boolArgument, nativeFunction, positionalFunction } from '../native-function.js';
import { compareValues } from '../operators/compare.js';
import { toText } from '../text-form.js';
import {
  type Arguments,
  DictValue,
  described,
  FunctionValue,
  isTruthy,
  ListValue,
  RangeValue,
  TupleValue,
  type Value,
} from '../value.js';

export const SEQUENCES: readonly FunctionValue[] = [
  positionalFunction('all', [1, 1], ([list = null], machine) =>
    collect(list, machine.budget).every(isTruthy),
  ),
  positionalFunction('any', [1, 1], ([list = null], machine) => collect(list, machine.budget).some(isTruthy)),
  positionalFunction('len', [1, 1], ([value = null], machine) => BigInt(lengthOf(value, machine))),
  positionalFunction('range', [1, 3], makeRange),
  positionalFunction('reversed', [1, 1], ([list = null], machine) => {
    return new ListValue(collect(list, machine.budget).reverse());
  }),
  positionalFunction('zip', [0, Number.POSITIVE_INFINITY], zip),
  positionalFunction('fail', [0, Number.POSITIVE_INFINITY], (values, machine) => {
    throw mistake(`fail: ${values.map((value) => toText(value, machine.budget)).join(' ')}`);
  }),
  nativeFunction('enumerate', enumerate),
  nativeFunction('max', (args, machine) => extreme('max', args, machine)),
  nativeFunction('min', (args, machine) => extreme('min', args, machine)),
  nativeFunction('sorted', sorted),
];

function lengthOf(value: Value, machine: Machine): number {
  if (typeof value === 'string') return charactersOf(value, machine.budget).length;
  if (value instanceof ListValue || value instanceof TupleValue) return value.items.length;
  if (value instanceof DictValue) return value.size;
  if (value instanceof RangeValue) return value.length;
  throw mistake(`${described(value)} has no length`);
}

function makeRange(values: readonly Value[]): Value {
  const [first = 0, second, step = 1] = values.map((value) => smallInteger(value, 'an argument of `range`'));
  if (step === 0) throw mistake('the step of a range cannot be zero');
  return second === undefined ? new RangeValue(0, first, step) : new RangeValue(first, second, step);
}

function zip(lists: readonly Value[], machine: Machine): Value {
  const columns = lists.map((list) => collect(list, machine.budget));
  const count = columns.reduce((least, { length }) => Math.min(least, length), columns[0]?.length ?? 0);
  machine.budget.step(count * columns.length);
  machine.budget.allocate(count * (columns.length + 1) * BYTES_PER_ELEMENT);
  const rows = Array.from(
    { length: count },
    (_, row) => new TupleValue(columns.map((column) => column[row] ?? null)),
  );
  return new ListValue(rows);
}

function enumerate({ positional, named }: Arguments, machine: Machine): Value {
  const [list, start = named.get('start')] = positional;
  checkNamed('enumerate', named, positional.length < 2 ? ['start'] : []);
  if (list === undefined || positional.length > 2) throw mistake('`enumerate` takes a list and a start');
  const first = start === undefined ? 0 : smallInteger(start, 'the start');
  const items = collect(list, machine.budget);
  machine.budget.allocate(items.length * 3 * BYTES_PER_ELEMENT);
  return new ListValue(items.map((item, index) => new TupleValue([BigInt(first + index), item])));
}

function extreme(name: 'max' | 'min', { positional, named }: Arguments, machine: Machine): Value {
  checkNamed(name, named, ['key']);
  const [only] = positional;
  const items = positional.length === 1 && only !== undefined ? elementsOf(only, machine.budget) : positional;
  let best: { item: Value; key: Value } | undefined;
  for (const item of items) {
    const key = keyOf(item, named.get('key'), machine);
    const order = best === undefined ? 0 : compareValues(key, best.key, machine.budget);
    // Of several the first.
    if (best === undefined || (name === 'max' ? order > 0 : order < 0)) best = { item, key };
  }
  if (best === undefined) throw mistake(`\`${name}\` of nothing`);
  return best.item;
}

function sorted({ positional, named }: Arguments, machine: Machine): Value {
  checkNamed('sorted', named, ['key', 'reverse']);
  const [list] = positional;
  if (list === undefined || positional.length > 1) throw mistake('`sorted` takes one positional argument');
  const reverse = named.get('reverse');
  const sign = reverse !== undefined && boolArgument(reverse, '`reverse`') ? -1 : 1;
  const rows = collect(list, machine.budget).map((item) => ({
    item,
    key: keyOf(item, named.get('key'), machine),
  }));
  rows.sort((left, right) => sign * compareValues(left.key, right.key, machine.budget));
  return new ListValue(rows.map(({ item }) => item));
}

function keyOf(item: Value, key: Value | undefined, machine: Machine): Value {
  if (key === undefined) return item;
  if (!(key instanceof FunctionValue)) throw mistake('a key has to be a function');
  return machine.call(key, { positional: [item], named: new Map() });
}

function checkNamed(callee: string, named: ReadonlyMap<string, Value>, allowed: readonly string[]): void {
  for (const name of named.keys()) {
    if (!allowed.includes(name)) throw mistake(`\`${callee}\` has no parameter \`${name}\``);
  }
}
