// Executes statements.

import type { IndexNode, NameNode, Statement } from '../parse/ast.js';
import { assign } from './assign.js';
import { makeFunction } from './call-function.js';
import { collect, elementsOf } from './elements.js';
import type { Completion, Machine } from './machine.js';
import { applyOperator } from './operators/operators.js';
import { readElement, writeElement } from './operators/subscript.js';
import type { Scope } from './scope.js';
import { isTruthy, ListValue, type Value } from './value.js';

export function executeStatement(node: Statement, scope: Scope, machine: Machine): Completion {
  machine.position = node.at;
  switch (node.kind) {
    case 'pass':
      return undefined;
    case 'break':
    case 'continue':
      return node.kind;
    case 'return':
      return { returned: node.value === undefined ? null : machine.evaluate(node.value, scope) };
    case 'expression':
      machine.evaluate(node.value, scope);
      return undefined;
    case 'assign':
      assign(node.target, machine.evaluate(node.value, scope), scope, machine);
      return undefined;
    case 'update':
      update(node, scope, machine);
      return undefined;
    case 'def':
      scope.set(node.definition.name, makeFunction(node.definition, scope, machine));
      return undefined;
    case 'if': {
      const branch = node.branches.find(({ test }) => isTruthy(machine.evaluate(test, scope)));
      return machine.run(branch?.body ?? node.otherwise, scope);
    }
    case 'for':
      return loop(node, scope, machine);
  }
}

function loop(node: Statement & { kind: 'for' }, scope: Scope, machine: Machine): Completion {
  const iterable = machine.evaluate(node.iterable, scope);
  machine.position = node.iterable.at;
  for (const element of elementsOf(iterable, machine.budget)) {
    assign(node.target, element, scope, machine);
    const completion = machine.run(node.body, scope);
    if (completion === 'break') return undefined;
    if (typeof completion === 'object') return completion;
  }
  return undefined;
}

function update(node: Statement & { kind: 'update' }, scope: Scope, machine: Machine): void {
  const place = placeOf(node.target, scope, machine);
  const before = place.read();
  const operand = machine.evaluate(node.value, scope);
  machine.position = node.at;
  // A list is extended in place: who else holds it sees that.
  if (node.operator === '+' && before instanceof ListValue) {
    const added = collect(operand, machine.budget);
    before.beforeChange();
    for (const item of added) before.items.push(item);
    place.write(before);
  } else place.write(applyOperator(node.operator, before, operand, machine.budget));
}

/** The object and the index are evaluated once. */
function placeOf(
  target: NameNode | IndexNode,
  scope: Scope,
  machine: Machine,
): { read(): Value; write(value: Value): void } {
  if (target.kind === 'name') {
    return { read: () => scope.get(target.name), write: (value) => scope.set(target.name, value) };
  }
  const object = machine.evaluate(target.object, scope);
  const key = machine.evaluate(target.index, scope);
  machine.position = target.at;
  return {
    read: () => readElement(object, key, machine.budget),
    write: (value) => writeElement(object, key, value),
  };
}
