// Evaluates the arguments of a call, in the order they are written.

import type { CallNode } from '../parse/ast.js';
import { BYTES_PER_ELEMENT, collect } from './elements.js';
import { mistake } from './fault.js';
import type { Machine } from './machine.js';
import { readMember } from './methods/members.js';
import type { Scope } from './scope.js';
import { DictValue, type Value } from './value.js';

export function evaluateCall(node: CallNode, scope: Scope, machine: Machine): Value {
  const { callee } = node;
  const target =
    callee.kind === 'member'
      ? readMember(machine.evaluate(callee.object, scope), callee.name)
      : machine.evaluate(callee, scope);
  const positional = node.positional.map((argument) => machine.evaluate(argument, scope));
  const named = new Map<string, Value>();
  for (const { name, value } of node.named) named.set(name, machine.evaluate(value, scope));
  machine.budget.allocate((positional.length + named.size) * BYTES_PER_ELEMENT);
  if (node.rest !== undefined)
    for (const value of collect(machine.evaluate(node.rest, scope), machine.budget)) positional.push(value);
  if (node.restNamed !== undefined) addNamed(machine.evaluate(node.restNamed, scope), named);
  machine.position = node.at;
  return machine.call(target, { positional, named });
}

function addNamed(value: Value, named: Map<string, Value>): void {
  if (!(value instanceof DictValue)) throw mistake('what follows `**` has to be a dict');
  for (const [key, inner] of value.entries()) {
    if (typeof key !== 'string') throw mistake('the keys of what follows `**` have to be text');
    if (named.has(key)) throw mistake(`the argument \`${key}\` is given twice`);
    named.set(key, inner);
  }
}
