// Methods of dicts. `keys`, `values` and `items` are lists of their own.

import { addEntries } from '../builtins/conversions.js';
import { BYTES_PER_ELEMENT } from '../elements.js';
import { mistake } from '../fault.js';
import type { Machine } from '../machine.js';
import { type DictValue, ListValue, TupleValue, type Value } from '../value.js';
import { type Method, method } from './method.js';

export const DICT_METHODS: ReadonlyMap<string, Method<DictValue>> = new Map<string, Method<DictValue>>([
  [
    'clear',
    method(0, 0, (dict) => {
      dict.clear();
      return null;
    }),
  ],
  [
    'get',
    method(1, 2, (dict, [key = null, fallback = null]) => dict.get(key) ?? fallbackOf(dict, key, fallback)),
  ],
  ['items', method(0, 0, (dict, _, machine) => listOf(dict, machine, (entry) => new TupleValue(entry)))],
  ['keys', method(0, 0, (dict, _, machine) => listOf(dict, machine, ([key]) => key))],
  ['values', method(0, 0, (dict, _, machine) => listOf(dict, machine, ([, value]) => value))],
  ['pop', method(1, 2, pop)],
  ['popitem', method(0, 0, popItem)],
  ['setdefault', method(1, 2, setDefault)],
  [
    'update',
    (dict, { positional, named }, machine) => {
      if (positional.length > 1) throw mistake('it takes one positional argument');
      dict.beforeChange();
      addEntries(dict, positional[0], machine);
      for (const [name, value] of named) dict.set(name, value);
      return null;
    },
  ],
]);

/** A key that is there may have the value None. */
function fallbackOf(dict: DictValue, key: Value, fallback: Value): Value {
  return dict.has(key) ? null : fallback;
}

function listOf(
  dict: DictValue,
  { budget }: Machine,
  pick: (entry: readonly [Value, Value]) => Value,
): ListValue {
  budget.step(dict.size);
  budget.allocate(dict.size * 2 * BYTES_PER_ELEMENT);
  return new ListValue(dict.entries().map(pick));
}

function pop(dict: DictValue, [key = null, fallback]: readonly Value[]): Value {
  dict.beforeChange();
  const value = dict.get(key);
  if (value === undefined) {
    if (fallback === undefined) throw mistake('the dict has no such key');
    return fallback;
  }
  dict.delete(key);
  return value;
}

/** The oldest entry. */
function popItem(dict: DictValue, _: readonly Value[], machine: Machine): Value {
  dict.beforeChange();
  machine.budget.step(dict.size);
  const [entry] = dict.entries();
  if (entry === undefined) throw mistake('the dict is empty');
  dict.delete(entry[0]);
  return new TupleValue(entry);
}

function setDefault(
  dict: DictValue,
  [key = null, fallback = null]: readonly Value[],
  machine: Machine,
): Value {
  dict.beforeChange();
  const value = dict.get(key);
  if (value !== undefined) return value;
  machine.budget.allocate(2 * BYTES_PER_ELEMENT);
  dict.set(key, fallback);
  return fallback;
}
