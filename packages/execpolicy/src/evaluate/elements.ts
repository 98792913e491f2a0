// The elements that a loop visits. Text has none: Codex does not loop over it either.

import type { Budget } from './budget.js';
import { mistake, unsupported } from './fault.js';
import { DictValue, described, ListValue, RangeValue, TupleValue, type Value } from './value.js';

/** While it is looped over, a list or dict cannot be changed. */
export function* elementsOf(value: Value, budget: Budget): Generator<Value, void> {
  if (value instanceof RangeValue) {
    for (let index = 0; index < value.length; index++) {
      budget.step();
      yield value.at(index);
    }
    return;
  }
  const isLockable = value instanceof ListValue || value instanceof DictValue;
  if (isLockable) value.lock();
  try {
    for (const element of snapshot(value, budget)) {
      budget.step();
      yield element;
    }
  } finally {
    if (isLockable) value.unlock();
  }
}

/** All of them at once, as a new array. */
export function collect(value: Value, budget: Budget): Value[] {
  const items: Value[] = [];
  for (const element of elementsOf(value, budget)) {
    budget.allocate(BYTES_PER_ELEMENT);
    items.push(element);
  }
  return items;
}

export const BYTES_PER_ELEMENT = 16;

function snapshot(value: Value, budget: Budget): readonly Value[] {
  if (value instanceof ListValue || value instanceof TupleValue) return value.items;
  if (value instanceof DictValue) {
    budget.step(value.size);
    return value.entries().map(([key]) => key);
  }
  // Codex refuses text, but takes the literal `""` for an empty list.
  if (value === '') throw unsupported('looping over empty text');
  throw mistake(`${described(value)} has no elements to loop over`);
}
