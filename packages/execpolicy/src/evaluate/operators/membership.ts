// The operator `in`.

import type { Budget } from '../budget.js';
import { mistake } from '../fault.js';
import { DictValue, described, ListValue, RangeValue, TupleValue, type Value } from '../value.js';
import { areEqual } from './compare.js';

export function isIn(value: Value, container: Value, budget: Budget): boolean {
  if (typeof container === 'string') {
    if (typeof value !== 'string') throw mistake(`${described(value)} cannot be in text`);
    budget.search(container.length, value.length);
    return container.includes(value);
  }
  if (container instanceof DictValue) return container.has(value);
  if (container instanceof ListValue || container instanceof TupleValue) {
    return container.items.some((item) => areEqual(value, item, budget));
  }
  if (container instanceof RangeValue) return isInRange(value, container);
  throw mistake(`nothing can be in ${described(container)}`);
}

function isInRange(value: Value, { start, step, length }: RangeValue): boolean {
  if (typeof value !== 'bigint') return false;
  const steps = (Number(value) - start) / step;
  return Number.isInteger(steps) && steps >= 0 && steps < length;
}
