// Methods of lists.

import { BYTES_PER_ELEMENT, collect } from '../elements.js';
import { mistake } from '../fault.js';
import { smallInteger } from '../integer.js';
import type { Machine } from '../machine.js';
import { areEqual } from '../operators/compare.js';
import type { ListValue, Value } from '../value.js';
import { type Method, method } from './method.js';
import { rangeWithin } from './range-within.js';

export const LIST_METHODS: ReadonlyMap<string, Method<ListValue>> = new Map([
  [
    'append',
    method<ListValue>(1, 1, (list, [value = null], machine) => {
      list.beforeChange();
      machine.budget.allocate(BYTES_PER_ELEMENT);
      list.items.push(value);
      return null;
    }),
  ],
  [
    'clear',
    method<ListValue>(0, 0, (list) => {
      list.beforeChange();
      list.items.length = 0;
      return null;
    }),
  ],
  [
    'extend',
    method<ListValue>(1, 1, (list, [values = null], machine) => {
      const added = collect(values, machine.budget);
      list.beforeChange();
      for (const value of added) list.items.push(value);
      return null;
    }),
  ],
  ['index', method<ListValue>(1, 3, indexOf)],
  [
    'insert',
    method<ListValue>(2, 2, (list, [place = null, value = null], machine) => {
      list.beforeChange();
      machine.budget.allocate(BYTES_PER_ELEMENT);
      machine.budget.step(list.items.length);
      list.items.splice(smallInteger(place, 'an index'), 0, value);
      return null;
    }),
  ],
  [
    'pop',
    method<ListValue>(0, 1, (list, [place], machine) => {
      list.beforeChange();
      const { items } = list;
      // A negative index is an error here, as in Codex.
      const index = place === undefined ? items.length - 1 : smallInteger(place, 'an index');
      if (index < 0 || index >= items.length) throw mistake(`the index ${index} is out of range`);
      machine.budget.step(items.length - index);
      return items.splice(index, 1)[0] ?? null;
    }),
  ],
  [
    'remove',
    method<ListValue>(1, 1, (list, [value = null], machine) => {
      list.beforeChange();
      const index = list.items.findIndex((item) => areEqual(item, value, machine.budget));
      if (index === -1) throw mistake('the list has no such element');
      list.items.splice(index, 1);
      return null;
    }),
  ],
]);

function indexOf(list: ListValue, [wanted = null, ...bounds]: readonly Value[], machine: Machine): Value {
  const { start, stop } = rangeWithin(bounds, list.items.length);
  const index = list.items.slice(start, stop).findIndex((item) => areEqual(item, wanted, machine.budget));
  if (index === -1) throw mistake('the list has no such element');
  return BigInt(start + index);
}
