// `[x for x in list if test]` and `{k: v for …}`. All clauses share one scope.

import type { Clause, ComprehensionNode } from '../parse/ast.js';
import { assign } from './assign.js';
import { BYTES_PER_ELEMENT, elementsOf } from './elements.js';
import type { Machine } from './machine.js';
import { Scope } from './scope.js';
import { DictValue, isTruthy, ListValue, type Value } from './value.js';

export function evaluateComprehension(node: ComprehensionNode, scope: Scope, machine: Machine): Value {
  const inside = new Scope(machine.declaredIn(node), scope);
  const { result } = node;
  const list = new ListValue([]);
  const dict = new DictValue();
  const add = (): void => {
    machine.budget.allocate(BYTES_PER_ELEMENT);
    if ('key' in result) {
      const key = machine.evaluate(result.key, inside);
      const value = machine.evaluate(result.value, inside);
      machine.position = node.at;
      dict.set(key, value);
    } else list.items.push(machine.evaluate(result, inside));
  };
  visit(node.clauses, { outside: scope, inside }, machine, add);
  return 'key' in result ? dict : list;
}

interface Scopes {
  /** Of the next list: the first one is looked up outside. */
  readonly outside: Scope;
  readonly inside: Scope;
}

function visit(
  clauses: readonly Clause[],
  { outside, inside }: Scopes,
  machine: Machine,
  add: () => void,
): void {
  const [clause, ...rest] = clauses;
  if (clause === undefined) {
    add();
    return;
  }
  const next = { outside: inside, inside };
  machine.budget.enter();
  if (clause.kind === 'if') {
    if (isTruthy(machine.evaluate(clause.test, inside))) visit(rest, next, machine, add);
  } else {
    const iterable = machine.evaluate(clause.iterable, outside);
    machine.position = clause.iterable.at;
    for (const element of elementsOf(iterable, machine.budget)) {
      assign(clause.target, element, inside, machine);
      visit(rest, next, machine, add);
    }
  }
  machine.budget.leave();
}
