// `+ - * // %` and the signs.

import type { ArithmeticOperator } from '../../parse/ast.js';
import type { Budget } from '../budget.js';
import { BYTES_PER_ELEMENT } from '../elements.js';
import { Fault, mistake } from '../fault.js';
import { checkSize, floorDivide, floorModulo } from '../integer.js';
import { described, ListValue, TupleValue, typeName, type Value } from '../value.js';
import { formatPercent } from './percent-format.js';

const ON_INTEGERS: Readonly<Record<ArithmeticOperator, (left: bigint, right: bigint) => bigint>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '//': floorDivide,
  '%': floorModulo,
};

export function applyOperator(
  operator: ArithmeticOperator,
  left: Value,
  right: Value,
  budget: Budget,
): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint')
    return checkSize(ON_INTEGERS[operator](left, right));
  if (operator === '+') return add(left, right, budget);
  if (operator === '*') return multiply(left, right, budget);
  if (operator === '%' && typeof left === 'string') return formatPercent(left, right, budget);
  throw notApplicable(operator, left, right);
}

export function applySign(operator: '+' | '-', operand: Value): Value {
  if (typeof operand !== 'bigint') throw mistake(`\`${operator}\` does not apply to ${described(operand)}`);
  return operator === '-' ? -operand : operand;
}

function add(left: Value, right: Value, budget: Budget): Value {
  if (typeof left === 'string' && typeof right === 'string') {
    budget.allocate(left.length + right.length);
    return left + right;
  }
  const isList = left instanceof ListValue && right instanceof ListValue;
  const isTuple = left instanceof TupleValue && right instanceof TupleValue;
  if (!isList && !isTuple) throw notApplicable('+', left, right);
  const count = left.items.length + right.items.length;
  budget.step(count);
  budget.allocate(count * BYTES_PER_ELEMENT);
  const items = [...left.items, ...right.items];
  return isList ? new ListValue(items) : new TupleValue(items);
}

function multiply(left: Value, right: Value, budget: Budget): Value {
  const [count, sequence] = typeof left === 'bigint' ? [left, right] : [right, left];
  const isSequence =
    typeof sequence === 'string' || sequence instanceof ListValue || sequence instanceof TupleValue;
  if (typeof count !== 'bigint' || !isSequence) throw notApplicable('*', left, right);
  if (count > 0x7fffffffn) throw new Fault('RULES_LIMIT', 'repeated too often');
  const times = Number(count > 0n ? count : 0n);
  if (typeof sequence === 'string') {
    budget.allocate(sequence.length * times);
    return sequence.repeat(times);
  }
  const { items } = sequence;
  budget.step(items.length * times);
  budget.allocate(items.length * times * BYTES_PER_ELEMENT);
  const repeated = items.length === 0 ? [] : Array.from({ length: times }, () => items).flat();
  return sequence instanceof ListValue ? new ListValue(repeated) : new TupleValue(repeated);
}

function notApplicable(operator: string, left: Value, right: Value): Fault {
  return mistake(`\`${operator}\` does not apply to ${typeName(left)} and ${typeName(right)}`);
}
