// A `def` or `lambda` as a value: its parameters are bound to arguments, then its body runs in a scope of its own.

import type { FunctionNode, Parameter } from '../parse/ast.js';
import { mistake } from './fault.js';
import type { Machine } from './machine.js';
import { Scope } from './scope.js';
import { type Arguments, DictValue, FunctionValue, TupleValue, type Value } from './value.js';

/** Defaults are evaluated where the function is defined, once. */
export function makeFunction(node: FunctionNode, scope: Scope, machine: Machine): FunctionValue {
  const fallbacks = new Map<string, Value>();
  for (const { name, fallback } of node.parameters) {
    if (fallback !== undefined) fallbacks.set(name, machine.evaluate(fallback, scope));
  }
  const declared = machine.declaredIn(node);
  return new FunctionValue(node.name, (args) => {
    const values = bind(node, args, fallbacks);
    return machine.budget.call(() => {
      const completion = machine.run(node.body, new Scope(declared, scope, values));
      return typeof completion === 'object' ? completion.returned : null;
    });
  });
}

function bind(
  { name: callee, parameters }: FunctionNode,
  { positional, named }: Arguments,
  fallbacks: ReadonlyMap<string, Value>,
): Map<string, Value> {
  const values = new Map<string, Value>();
  const plain = parameters.filter(({ kind }) => kind === 'plain');
  plain.slice(0, positional.length).forEach(({ name }, index) => {
    values.set(name, positional[index] ?? null);
  });
  const extra = positional.slice(plain.length);
  bindExtraPositional(parameters, extra, values, callee);
  bindNamed(parameters, named, values, callee);
  for (const { kind, name } of parameters) {
    if (values.has(name) || kind === 'rest' || kind === 'rest-named') continue;
    const fallback = fallbacks.get(name);
    if (fallback === undefined) throw mistake(`\`${callee}\` needs the argument \`${name}\``);
    values.set(name, fallback);
  }
  return values;
}

function bindExtraPositional(
  parameters: readonly Parameter[],
  extra: readonly Value[],
  values: Map<string, Value>,
  callee: string,
): void {
  const rest = parameters.find(({ kind }) => kind === 'rest');
  if (rest !== undefined) values.set(rest.name, new TupleValue(extra));
  else if (extra.length > 0) throw mistake(`\`${callee}\` takes ${extra.length} positional arguments fewer`);
}

function bindNamed(
  parameters: readonly Parameter[],
  named: ReadonlyMap<string, Value>,
  values: Map<string, Value>,
  callee: string,
): void {
  const rest = parameters.find(({ kind }) => kind === 'rest-named');
  const others = new DictValue();
  for (const [name, value] of named) {
    const isParameter = parameters.some(
      (parameter) =>
        parameter.name === name && (parameter.kind === 'plain' || parameter.kind === 'named-only'),
    );
    if (isParameter && values.has(name)) throw mistake(`the argument \`${name}\` is given twice`);
    if (isParameter) values.set(name, value);
    else if (rest !== undefined) others.set(name, value);
    else throw mistake(`\`${callee}\` has no parameter \`${name}\``);
  }
  if (rest !== undefined) values.set(rest.name, others);
}
