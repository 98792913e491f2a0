// The builtin names of rule files, besides those that make rules.

import type { Value } from '../value.js';
import { CONVERSIONS } from './conversions.js';
import { SEQUENCES } from './sequences.js';

/** `True`, `False` and `None` are names like others. */
export const BUILTINS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['True', true],
  ['False', false],
  ['None', null],
  ...[...CONVERSIONS, ...SEQUENCES].map((builtin) => [builtin.name, builtin] as const),
]);
