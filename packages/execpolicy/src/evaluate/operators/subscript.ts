// `value[index]`, `value[start:stop:step]`, and assignment to an element.

import type { Budget } from '../budget.js';
import { charactersOf } from '../characters.js';
import { BYTES_PER_ELEMENT } from '../elements.js';
import { mistake, unsupported } from '../fault.js';
import { smallInteger } from '../integer.js';
import { DictValue, described, ListValue, RangeValue, TupleValue, type Value } from '../value.js';

export function readElement(object: Value, index: Value, budget: Budget): Value {
  if (object instanceof DictValue) {
    const value = object.get(index);
    if (value === undefined) throw mistake('the dict has no such key');
    return value;
  }
  if (typeof object === 'string') {
    const characters = charactersOf(object, budget);
    return characters.at(placeOf(index, characters.length));
  }
  if (object instanceof RangeValue) return object.at(placeOf(index, object.length));
  if (object instanceof ListValue || object instanceof TupleValue) {
    return object.items[placeOf(index, object.items.length)] ?? null;
  }
  throw mistake(`${described(object)} has no elements`);
}

export function writeElement(object: Value, index: Value, value: Value): void {
  if (object instanceof DictValue) object.set(index, value);
  else if (object instanceof ListValue) {
    object.beforeChange();
    object.items[placeOf(index, object.items.length)] = value;
  } else throw mistake(`elements of ${described(object)} cannot be assigned to`);
}

function placeOf(index: Value, length: number): number {
  const number = smallInteger(index, 'an index');
  const place = number < 0 ? number + length : number;
  if (place < 0 || place >= length) throw mistake(`the index ${number} is out of range`);
  return place;
}

export interface Bounds {
  readonly start: Value;
  readonly stop: Value;
  readonly step: Value;
}

export function readSlice(object: Value, bounds: Bounds, budget: Budget): Value {
  if (typeof object === 'string') {
    const characters = charactersOf(object, budget);
    const places = placesIn(bounds, characters.length, budget);
    if (bounds.step === null && places.length > 0) {
      return characters.slice(places[0] ?? 0, (places.at(-1) ?? 0) + 1);
    }
    return places.map((place) => characters.at(place)).join('');
  }
  if (object instanceof RangeValue) throw unsupported('a slice of a range');
  if (!(object instanceof ListValue) && !(object instanceof TupleValue)) {
    throw mistake(`${described(object)} cannot be sliced`);
  }
  const items = placesIn(bounds, object.items.length, budget).map((place) => object.items[place] ?? null);
  return object instanceof ListValue ? new ListValue(items) : new TupleValue(items);
}

function placesIn(bounds: Bounds, length: number, budget: Budget): number[] {
  const step = bounds.step === null ? 1 : smallInteger(bounds.step, 'a step');
  if (step === 0) throw mistake('a step cannot be zero');
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (value: Value, fallback: number): number => {
    if (value === null) return fallback;
    const number = smallInteger(value, 'a bound');
    return Math.min(high, Math.max(low, number < 0 ? number + length : number));
  };
  const start = clamp(bounds.start, step > 0 ? low : high);
  const stop = clamp(bounds.stop, step > 0 ? high : low);
  const count = Math.max(0, Math.ceil((stop - start) / step));
  budget.step(count);
  budget.allocate(count * BYTES_PER_ELEMENT);
  return Array.from({ length: count }, (_, index) => start + index * step);
}
