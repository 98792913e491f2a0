// Equality and order. Numbers, booleans and text of different kinds are never equal, and cannot be ordered.

import { LIMITS } from '../../limits.js';
import type { Budget } from '../budget.js';
import { Fault, mistake } from '../fault.js';
import { DictValue, ListValue, RangeValue, TupleValue, typeName, type Value } from '../value.js';

export function areEqual(left: Value, right: Value, budget: Budget, depth = 0): boolean {
  budget.step();
  checkDepth(depth);
  if (typeof left === 'string' && typeof right === 'string') budget.scan(Math.min(left.length, right.length));
  if (left === right) return true;
  if (left instanceof ListValue && right instanceof ListValue)
    return sameItems(left.items, right.items, budget, depth);
  if (left instanceof TupleValue && right instanceof TupleValue) {
    return sameItems(left.items, right.items, budget, depth);
  }
  if (left instanceof DictValue && right instanceof DictValue) return sameEntries(left, right, budget, depth);
  if (left instanceof RangeValue && right instanceof RangeValue) return sameRange(left, right);
  return false;
}

/** Negative, zero or positive, as in a sort. */
export function compareValues(left: Value, right: Value, budget: Budget, depth = 0): number {
  budget.step();
  checkDepth(depth);
  if (typeof left === 'bigint' && typeof right === 'bigint') return left < right ? -1 : Number(left > right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (typeof left === 'string' && typeof right === 'string') {
    budget.scan(Math.min(left.length, right.length));
    return compareText(left, right);
  }
  const isPair =
    (left instanceof ListValue && right instanceof ListValue) ||
    (left instanceof TupleValue && right instanceof TupleValue);
  if (isPair) return compareItems(left.items, right.items, budget, depth);
  throw mistake(`${typeName(left)} and ${typeName(right)} cannot be ordered`);
}

function sameItems(left: readonly Value[], right: readonly Value[], budget: Budget, depth: number): boolean {
  if (left.length !== right.length) return false;
  return left.every((item, index) => areEqual(item, right[index] ?? null, budget, depth + 1));
}

function sameEntries(left: DictValue, right: DictValue, budget: Budget, depth: number): boolean {
  if (left.size !== right.size) return false;
  return left.entries().every(([key, value]) => {
    const other = right.get(key);
    return other !== undefined && areEqual(value, other, budget, depth + 1);
  });
}

function sameRange(left: RangeValue, right: RangeValue): boolean {
  const { length } = left;
  if (length !== right.length) return false;
  if (length === 0) return true;
  return left.start === right.start && (length === 1 || left.step === right.step);
}

function compareItems(
  left: readonly Value[],
  right: readonly Value[],
  budget: Budget,
  depth: number,
): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const order = compareValues(left[index] ?? null, right[index] ?? null, budget, depth + 1);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** By code points: UTF-16 puts some above others that UTF-8, and Codex, puts below. */
function compareText(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  let index = 0;
  while (index < shared && left[index] === right[index]) index++;
  if (index === shared) return left.length - right.length;
  const [unit, other] = [left.charCodeAt(index), right.charCodeAt(index)];
  const [isHalf, isOtherHalf] = [isSurrogate(unit), isSurrogate(other)];
  return isHalf === isOtherHalf ? unit - other : Number(isHalf) - Number(isOtherHalf);
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function checkDepth(depth: number): void {
  if (depth > LIMITS.valueDepth) throw new Fault('RULES_LIMIT', 'values are nested too deep');
}
