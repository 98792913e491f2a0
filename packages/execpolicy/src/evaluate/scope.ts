// The variables of a file, of a call or of a comprehension. Which names are declared was decided before.

import { mistake } from './fault.js';
import type { Value } from './value.js';

export class Scope {
  readonly #declared: ReadonlySet<string>;
  readonly #values: Map<string, Value>;
  readonly #outer: Scope | undefined;

  constructor(declared: ReadonlySet<string>, outer?: Scope, values: Map<string, Value> = new Map()) {
    this.#declared = declared;
    this.#outer = outer;
    this.#values = values;
  }

  get(name: string): Value {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#outer) {
      if (!scope.#declared.has(name)) continue;
      const value = scope.#values.get(name);
      if (value === undefined) throw mistake(`\`${name}\` is used before it has a value`);
      return value;
    }
    throw mistake(`there is no \`${name}\``);
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }
}
