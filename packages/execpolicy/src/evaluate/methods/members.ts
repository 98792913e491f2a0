// Looks up `value.method`.

import { mistake, unsupported } from '../fault.js';
import type { Machine } from '../machine.js';
import { nativeFunction } from '../native-function.js';
import { type Arguments, DictValue, described, type FunctionValue, ListValue, type Value } from '../value.js';
import { DICT_METHODS } from './dict-methods.js';
import { LIST_METHODS } from './list-methods.js';
import { TEXT_METHODS } from './text-methods.js';

export function readMember(object: Value, name: string): FunctionValue {
  const body = bodyOf(object, name);
  if (body === undefined) {
    const isKnown = typeof object === 'string' && (name === 'elems' || name === 'codepoints');
    throw isKnown ? unsupported(`\`${name}\``) : mistake(`${described(object)} has no \`${name}\``);
  }
  return nativeFunction(name, body);
}

function bodyOf(object: Value, name: string): ((args: Arguments, machine: Machine) => Value) | undefined {
  if (typeof object === 'string') {
    const method = TEXT_METHODS.get(name);
    return method === undefined ? undefined : (args, machine) => method(object, args, machine);
  }
  if (object instanceof ListValue) {
    const method = LIST_METHODS.get(name);
    return method === undefined ? undefined : (args, machine) => method(object, args, machine);
  }
  if (object instanceof DictValue) {
    const method = DICT_METHODS.get(name);
    return method === undefined ? undefined : (args, machine) => method(object, args, machine);
  }
  return undefined;
}
