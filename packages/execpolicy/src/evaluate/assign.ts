// Assigns to a name, to an element, or to each of several.

import type { Target } from '../parse/ast.js';
import { BYTES_PER_ELEMENT, collect } from './elements.js';
import { mistake } from './fault.js';
import type { Machine } from './machine.js';
import { writeElement } from './operators/subscript.js';
import type { Scope } from './scope.js';
import type { Value } from './value.js';

export function assign(target: Target, value: Value, scope: Scope, machine: Machine): void {
  if (target.kind === 'name') {
    scope.set(target.name, value);
    return;
  }
  if (target.kind === 'index') {
    const object = machine.evaluate(target.object, scope);
    const index = machine.evaluate(target.index, scope);
    machine.position = target.at;
    machine.budget.allocate(2 * BYTES_PER_ELEMENT + (typeof index === 'string' ? index.length : 0));
    writeElement(object, index, value);
    return;
  }
  machine.position = target.at;
  const values = collect(value, machine.budget);
  if (values.length !== target.targets.length) {
    throw mistake(`there are ${values.length} values for ${target.targets.length} names`);
  }
  target.targets.forEach((inner, index) => {
    assign(inner, values[index] ?? null, scope, machine);
  });
}
