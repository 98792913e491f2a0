// The arguments of a call: positional, then named, then `*list`, then `**dict`. Any other order is an error.

import type { CallNode, Expression } from './ast.js';
import type { ExpressionParser } from './expression-parser.js';
import type { TokenCursor } from './token-cursor.js';

export function parseArguments(
  cursor: TokenCursor,
  { expression }: ExpressionParser,
): Pick<CallNode, 'positional' | 'named' | 'rest' | 'restNamed'> {
  const positional: Expression[] = [];
  const named: { name: string; value: Expression }[] = [];
  let rest: Expression | undefined;
  let restNamed: Expression | undefined;
  while (!cursor.skip(')')) {
    const { at } = cursor.current;
    const isLast = rest !== undefined || restNamed !== undefined;
    if (cursor.skip('**')) {
      if (restNamed !== undefined) throw cursor.error('a second `**` argument', at);
      restNamed = expression(cursor);
    } else if (cursor.skip('*')) {
      if (isLast) throw cursor.error('a `*` argument after another `*` or `**`', at);
      rest = expression(cursor);
    } else if (cursor.current.kind === 'name' && cursor.followingIs('=')) {
      const name = cursor.expectName().text;
      cursor.advance();
      if (isLast) throw cursor.error('a named argument after `*` or `**`', at);
      if (named.some((other) => other.name === name)) throw cursor.error(`\`${name}\` is given twice`, at);
      named.push({ name, value: expression(cursor) });
    } else {
      if (isLast || named.length > 0) throw cursor.error('a positional argument after a named one', at);
      positional.push(expression(cursor));
    }
    if (!cursor.is(')') && !cursor.skip(',')) throw cursor.unexpected('`,` or `)`');
  }
  return { positional, named, rest, restNamed };
}
