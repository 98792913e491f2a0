// Evaluates expressions.

import type { ArithmeticNode, ComparisonNode, Expression, IndexNode, SliceNode } from '../parse/ast.js';
import { makeFunction } from './call-function.js';
import { evaluateComprehension } from './comprehension.js';
import { BYTES_PER_ELEMENT } from './elements.js';
import { evaluateCall } from './evaluate-call.js';
import { mistake } from './fault.js';
import type { Machine } from './machine.js';
import { readMember } from './methods/members.js';
import { areEqual, compareValues } from './operators/compare.js';
import { isIn } from './operators/membership.js';
import { applyOperator, applySign } from './operators/operators.js';
import { readElement, readSlice } from './operators/subscript.js';
import type { Scope } from './scope.js';
import { toRepr, toText } from './text-form.js';
import { DictValue, isTruthy, ListValue, TupleValue, type Value } from './value.js';

export function evaluateExpression(node: Expression, scope: Scope, machine: Machine): Value {
  machine.position = node.at;
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'name':
      return scope.get(node.name);
    case 'template':
      return fillTemplate(node.parts, scope, machine);
    case 'list':
      return new ListValue(evaluateAll(node.items, scope, machine));
    case 'tuple':
      return new TupleValue(evaluateAll(node.items, scope, machine));
    case 'dict':
      return makeDict(node, scope, machine);
    case 'comprehension':
      return evaluateComprehension(node, scope, machine);
    case 'function':
      return makeFunction(node, scope, machine);
    case 'conditional':
      return machine.evaluate(
        isTruthy(machine.evaluate(node.test, scope)) ? node.then : node.otherwise,
        scope,
      );
    case 'logical':
      return decide(node, scope, machine);
    case 'not':
      return !isTruthy(machine.evaluate(node.operand, scope));
    case 'sign': {
      const operand = machine.evaluate(node.operand, scope);
      machine.position = node.at;
      return applySign(node.operator, operand);
    }
    case 'arithmetic':
      return calculate(node, scope, machine);
    case 'comparison':
      return compare(node, scope, machine);
    case 'index':
      return index(node, scope, machine);
    case 'slice':
      return slice(node, scope, machine);
    case 'member': {
      const object = machine.evaluate(node.object, scope);
      machine.position = node.at;
      return readMember(object, node.name);
    }
    case 'call':
      return evaluateCall(node, scope, machine);
  }
}

function evaluateAll(nodes: readonly Expression[], scope: Scope, machine: Machine): Value[] {
  machine.budget.allocate(nodes.length * BYTES_PER_ELEMENT);
  return nodes.map((node) => machine.evaluate(node, scope));
}

function fillTemplate(
  parts: (Expression & { kind: 'template' })['parts'],
  scope: Scope,
  machine: Machine,
): string {
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part;
    machine.position = part.at;
    const value = scope.get(part.name);
    return part.isRepr ? toRepr(value, machine.budget) : toText(value, machine.budget);
  });
  machine.budget.allocate(texts.reduce((sum, text) => sum + text.length, 0));
  return texts.join('');
}

function makeDict(node: Expression & { kind: 'dict' }, scope: Scope, machine: Machine): Value {
  const dict = new DictValue();
  machine.budget.allocate(node.entries.length * 2 * BYTES_PER_ELEMENT);
  for (const entry of node.entries) {
    const key = machine.evaluate(entry.key, scope);
    const value = machine.evaluate(entry.value, scope);
    machine.position = entry.key.at;
    if (dict.has(key)) throw mistake('the dict has this key twice');
    dict.set(key, value);
  }
  return dict;
}

function decide(node: Expression & { kind: 'logical' }, scope: Scope, machine: Machine): Value {
  let value: Value = null;
  for (const operand of node.operands) {
    value = machine.evaluate(operand, scope);
    if (isTruthy(value) === (node.operator === 'or')) return value;
  }
  return value;
}

function calculate(node: ArithmeticNode, scope: Scope, machine: Machine): Value {
  let value = machine.evaluate(node.first, scope);
  for (const { operator, operand } of node.rest) {
    const right = machine.evaluate(operand, scope);
    machine.position = node.at;
    value = applyOperator(operator, value, right, machine.budget);
  }
  return value;
}

function compare(node: ComparisonNode, scope: Scope, machine: Machine): boolean {
  const { budget } = machine;
  const left = machine.evaluate(node.left, scope);
  const right = machine.evaluate(node.right, scope);
  machine.position = node.at;
  switch (node.operator) {
    case '==':
      return areEqual(left, right, budget);
    case '!=':
      return !areEqual(left, right, budget);
    case 'in':
      return isIn(left, right, budget);
    case 'not in':
      return !isIn(left, right, budget);
    case '<':
      return compareValues(left, right, budget) < 0;
    case '<=':
      return compareValues(left, right, budget) <= 0;
    case '>':
      return compareValues(left, right, budget) > 0;
    case '>=':
      return compareValues(left, right, budget) >= 0;
  }
}

function index(node: IndexNode, scope: Scope, machine: Machine): Value {
  const object = machine.evaluate(node.object, scope);
  const key = machine.evaluate(node.index, scope);
  machine.position = node.at;
  return readElement(object, key, machine.budget);
}

function slice(node: SliceNode, scope: Scope, machine: Machine): Value {
  const object = machine.evaluate(node.object, scope);
  const [start, stop, step] = [0, 1, 2].map((place) => {
    const bound = node.bounds[place];
    return bound === undefined ? null : machine.evaluate(bound, scope);
  });
  machine.position = node.at;
  return readSlice(object, { start: start ?? null, stop: stop ?? null, step: step ?? null }, machine.budget);
}
