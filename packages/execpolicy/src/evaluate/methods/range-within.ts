// The optional start and end of a search, negative ones from the end.

import { smallInteger } from '../integer.js';
import type { Value } from '../value.js';

export function rangeWithin(
  [start = null, stop = null]: readonly Value[],
  length: number,
): { readonly start: number; readonly stop: number } {
  const place = (value: Value, fallback: number): number => {
    if (value === null) return fallback;
    const number = smallInteger(value, 'a bound');
    return Math.max(0, number < 0 ? number + length : number);
  };
  return { start: place(start, 0), stop: Math.min(length, place(stop, length)) };
}
