// What may be assigned to: a name, an element, or a pattern of these.

import type { Expression, Target } from './ast.js';
import type { ExpressionParser } from './expression-parser.js';
import type { TokenCursor } from './token-cursor.js';

export function asTarget(cursor: TokenCursor, expression: Expression): Target {
  const { at, kind } = expression;
  if (kind === 'name' || kind === 'index') return expression;
  if (kind === 'list' || kind === 'tuple') {
    return { kind: 'unpack', at, targets: expression.items.map((item) => asTarget(cursor, item)) };
  }
  throw cursor.error('only a name, an element or a list of these can be assigned to', at);
}

/** The target of a `for`: up to the word `in`, which is no comparison here. */
export function parseLoopTarget(cursor: TokenCursor, { operand }: ExpressionParser): Target {
  const { at } = cursor.current;
  const first = asTarget(cursor, operand(cursor));
  if (!cursor.is(',')) return first;
  const targets = [first];
  while (cursor.skip(',')) {
    if (cursor.is('in')) throw cursor.error('a tuple that ends with a comma needs brackets', at);
    targets.push(asTarget(cursor, operand(cursor)));
  }
  return { kind: 'unpack', at, targets };
}
