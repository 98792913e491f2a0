// The interface of the expression parser as its own parts see it, which breaks the import cycle between them.

import type { Expression } from './ast.js';
import type { TokenCursor } from './token-cursor.js';

export interface ExpressionParser {
  expression(cursor: TokenCursor): Expression;
  /** An expression that is neither a conditional nor a lambda: the word after it belongs to the statement around it. */
  condition(cursor: TokenCursor): Expression;
  /** A name, literal or bracket with its calls, members and indices: what may be assigned to, among others. */
  operand(cursor: TokenCursor): Expression;
}
