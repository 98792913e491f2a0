// A method is a function of the object and the arguments.

import { mistake } from '../fault.js';
import type { Machine } from '../machine.js';
import type { Arguments, Value } from '../value.js';

export type Method<Self> = (self: Self, args: Arguments, machine: Machine) => Value;
type Body<Self> = (self: Self, values: readonly Value[], machine: Machine) => Value;

/** A method without named parameters, which takes between `least` and `most` arguments. */
export function method<Self>(least: number, most: number, body: Body<Self>): Method<Self> {
  return (self, { positional, named }, machine) => {
    for (const name of named.keys()) throw mistake(`there is no parameter \`${name}\``);
    if (positional.length < least || positional.length > most) {
      throw mistake(`it does not take ${positional.length} arguments`);
    }
    return body(self, positional, machine);
  };
}
