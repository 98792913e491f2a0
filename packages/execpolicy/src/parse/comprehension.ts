// The clauses of `[x for x in list if test]`.

import { parseLoopTarget } from './assignment-target.js';
import type { Clause } from './ast.js';
import type { ExpressionParser } from './expression-parser.js';
import type { TokenCursor } from './token-cursor.js';

export function parseClauses(cursor: TokenCursor, parser: ExpressionParser): Clause[] {
  const clauses: Clause[] = [];
  for (;;) {
    if (cursor.skip('for')) {
      const target = parseLoopTarget(cursor, parser);
      cursor.expect('in');
      clauses.push({ kind: 'for', target, iterable: parser.condition(cursor) });
    } else if (cursor.skip('if')) clauses.push({ kind: 'if', test: parser.condition(cursor) });
    else return clauses;
  }
}
