// Expressions, by precedence: conditional, or, and, not, comparison, sums, products, signs, and what follows an operand.

import { parseArguments } from './arguments.js';
import type { ArithmeticOperator, ComparisonOperator, DictEntry, Expression } from './ast.js';
import { parseClauses } from './comprehension.js';
import type { ExpressionParser } from './expression-parser.js';
import { parseParameters } from './parameters.js';
import type { TokenCursor } from './token-cursor.js';

const COMPARISONS: readonly ComparisonOperator[] = ['==', '!=', '<', '<=', '>', '>=', 'in'];
const SUMS: readonly ArithmeticOperator[] = ['+', '-'];
const PRODUCTS: readonly ArithmeticOperator[] = ['*', '//', '%'];

/** An expression without a comma outside brackets. */
export function parseExpression(cursor: TokenCursor): Expression {
  return cursor.nested(() => {
    const { at } = cursor.current;
    if (cursor.skip('lambda')) return parseLambda(cursor, at);
    const then = parseOr(cursor);
    if (!cursor.skip('if')) return then;
    const test = parseOr(cursor);
    cursor.expect('else');
    return { kind: 'conditional', at, test, then, otherwise: parseExpression(cursor) };
  });
}

/** An expression, or several with commas: a tuple without brackets. */
export function parseExpressions(cursor: TokenCursor): Expression {
  const { at } = cursor.current;
  const first = parseExpression(cursor);
  if (!cursor.is(',')) return first;
  const items = [first];
  while (cursor.skip(',')) {
    if (!startsExpression(cursor)) throw cursor.error('a tuple that ends with a comma needs brackets', at);
    items.push(parseExpression(cursor));
  }
  return { kind: 'tuple', at, items };
}

/** What the clauses, arguments and parameters need of this file, which needs them. */
export const EXPRESSIONS: ExpressionParser = {
  expression: parseExpression,
  condition: parseOr,
  operand: parsePostfix,
};

function startsExpression(cursor: TokenCursor): boolean {
  const { current } = cursor;
  if (current.kind === 'symbol') return ['(', '[', '{', '-', '+'].includes(current.text);
  if (current.kind === 'keyword') return ['lambda', 'not'].includes(current.text);
  return ['name', 'integer', 'string', 'template'].includes(current.kind);
}

function parseLambda(cursor: TokenCursor, at: number): Expression {
  const parameters = cursor.is(':') ? [] : parseParameters(cursor, ':', EXPRESSIONS);
  cursor.expect(':');
  const value = parseExpression(cursor);
  return {
    kind: 'function',
    at,
    name: 'lambda',
    parameters,
    body: [{ kind: 'return', at: value.at, value }],
  };
}

function parseOr(cursor: TokenCursor): Expression {
  return parseLogical(cursor, 'or', () => parseLogical(cursor, 'and', () => parseNot(cursor)));
}

function parseLogical(cursor: TokenCursor, operator: 'and' | 'or', parse: () => Expression): Expression {
  const { at } = cursor.current;
  const operands = [parse()];
  while (cursor.skip(operator)) operands.push(parse());
  const [first] = operands;
  return operands.length === 1 && first !== undefined ? first : { kind: 'logical', at, operator, operands };
}

function parseNot(cursor: TokenCursor): Expression {
  const { at } = cursor.current;
  if (!cursor.skip('not')) return parseComparison(cursor);
  return cursor.nested(() => ({ kind: 'not', at, operand: parseNot(cursor) }));
}

function parseComparison(cursor: TokenCursor): Expression {
  const { at } = cursor.current;
  const left = parseArithmetic(cursor, SUMS);
  const operator = comparisonHere(cursor);
  if (operator === undefined) return left;
  const right = parseArithmetic(cursor, SUMS);
  if (comparisonHere(cursor) !== undefined) throw cursor.error('comparisons cannot be chained');
  return { kind: 'comparison', at, operator, left, right };
}

function comparisonHere(cursor: TokenCursor): ComparisonOperator | undefined {
  if (cursor.is('not') && cursor.followingIs('in')) {
    cursor.advance();
    cursor.advance();
    return 'not in';
  }
  return COMPARISONS.find((operator) => cursor.skip(operator));
}

function parseArithmetic(cursor: TokenCursor, operators: readonly ArithmeticOperator[]): Expression {
  const { at } = cursor.current;
  const parse = () => (operators === SUMS ? parseArithmetic(cursor, PRODUCTS) : parseSign(cursor));
  const first = parse();
  const rest: { operator: ArithmeticOperator; operand: Expression }[] = [];
  for (;;) {
    const operator = operators.find((symbol) => cursor.skip(symbol));
    if (operator === undefined) break;
    rest.push({ operator, operand: parse() });
  }
  return rest.length === 0 ? first : { kind: 'arithmetic', at, first, rest };
}

function parseSign(cursor: TokenCursor): Expression {
  const { at } = cursor.current;
  const operator = (['-', '+'] as const).find((symbol) => cursor.skip(symbol));
  if (operator === undefined) return parsePostfix(cursor);
  return cursor.nested(() => ({ kind: 'sign', at, operator, operand: parseSign(cursor) }));
}

/** An operand with its calls, members and indices. Each of them is one level, like a bracket. */
function parsePostfix(cursor: TokenCursor): Expression {
  const { at } = cursor.current;
  return follow(cursor, parseOperand(cursor), at);
}

function follow(cursor: TokenCursor, object: Expression, at: number): Expression {
  if (cursor.skip('.')) {
    const { text } = cursor.expectName();
    return cursor.nested(() => follow(cursor, { kind: 'member', at, object, name: text }, at));
  }
  if (cursor.skip('(')) {
    const call = { kind: 'call', at, callee: object, ...parseArguments(cursor, EXPRESSIONS) } as const;
    return cursor.nested(() => follow(cursor, call, at));
  }
  if (cursor.skip('[')) {
    const index = parseSubscript(cursor, object, at);
    return cursor.nested(() => follow(cursor, index, at));
  }
  return object;
}

function parseSubscript(cursor: TokenCursor, object: Expression, at: number): Expression {
  const bounds: [Expression?, Expression?, Expression?] = [];
  if (!cursor.is(':')) bounds[0] = parseExpression(cursor);
  const [index] = bounds;
  if (index !== undefined && cursor.skip(']')) return { kind: 'index', at, object, index };
  if (cursor.is(',')) throw cursor.unsupported('an index of several values');
  for (const place of [1, 2] as const) {
    if (!cursor.skip(':')) break;
    if (!cursor.is(':') && !cursor.is(']')) bounds[place] = parseExpression(cursor);
  }
  cursor.expect(']');
  return { kind: 'slice', at, object, bounds };
}

function parseOperand(cursor: TokenCursor): Expression {
  const token = cursor.current;
  const { at } = token;
  if (token.kind === 'name') {
    cursor.advance();
    return { kind: 'name', at, name: token.text };
  }
  if (token.kind === 'integer' || token.kind === 'string') {
    cursor.advance();
    return { kind: 'literal', at, value: token.value };
  }
  if (token.kind === 'template') {
    cursor.advance();
    return { kind: 'template', at, parts: token.parts };
  }
  if (cursor.skip('(')) return parseBrackets(cursor, at);
  if (cursor.skip('[')) return parseList(cursor, at);
  if (cursor.skip('{')) return parseDict(cursor, at);
  throw cursor.unexpected('an expression');
}

/** A tuple, or an expression in brackets. */
function parseBrackets(cursor: TokenCursor, at: number): Expression {
  if (cursor.skip(')')) return { kind: 'tuple', at, items: [] };
  const first = parseExpression(cursor);
  if (cursor.skip(')')) return first;
  const items = [first];
  while (!cursor.skip(')')) {
    cursor.expect(',');
    if (!cursor.is(')')) items.push(parseExpression(cursor));
  }
  return { kind: 'tuple', at, items };
}

function parseList(cursor: TokenCursor, at: number): Expression {
  if (cursor.skip(']')) return { kind: 'list', at, items: [] };
  const first = parseExpression(cursor);
  if (cursor.is('for')) {
    const clauses = parseClauses(cursor, EXPRESSIONS);
    cursor.expect(']');
    return { kind: 'comprehension', at, result: first, clauses };
  }
  const items = [first];
  while (!cursor.skip(']')) {
    if (!cursor.skip(',')) throw cursor.unexpected('`]`');
    if (!cursor.is(']')) items.push(parseExpression(cursor));
  }
  return { kind: 'list', at, items };
}

function parseDict(cursor: TokenCursor, at: number): Expression {
  if (cursor.skip('}')) return { kind: 'dict', at, entries: [] };
  const first = parseEntry(cursor);
  if (cursor.is('for')) {
    const clauses = parseClauses(cursor, EXPRESSIONS);
    cursor.expect('}');
    return { kind: 'comprehension', at, result: first, clauses };
  }
  const entries = [first];
  while (!cursor.skip('}')) {
    if (!cursor.skip(',')) throw cursor.unexpected('`}`');
    if (!cursor.is('}')) entries.push(parseEntry(cursor));
  }
  return { kind: 'dict', at, entries };
}

function parseEntry(cursor: TokenCursor): DictEntry {
  const key = parseExpression(cursor);
  cursor.expect(':');
  return { key, value: parseExpression(cursor) };
}
