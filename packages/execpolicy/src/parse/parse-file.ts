// Statements and blocks. `return`, `break` and `continue` are checked here: they need to know what they stand in.

import { tokenize } from '../lex/lexer.js';
import type { SourceText } from '../source/source-text.js';
import { asTarget, parseLoopTarget } from './assignment-target.js';
import type { ArithmeticOperator, Expression, Statement } from './ast.js';
import { parseParameters } from './parameters.js';
import { EXPRESSIONS, parseExpression, parseExpressions } from './parse-expression.js';
import { TokenCursor } from './token-cursor.js';

const UPDATES: Readonly<Record<string, ArithmeticOperator>> = {
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '//=': '//',
  '%=': '%',
};

/** What the statement stands in. */
interface Surroundings {
  readonly inFunction: boolean;
  readonly inLoop: boolean;
}

export function parseFile(source: SourceText): Statement[] {
  return new StatementParser(new TokenCursor(source, tokenize(source))).file();
}

class StatementParser {
  readonly #cursor: TokenCursor;

  constructor(cursor: TokenCursor) {
    this.#cursor = cursor;
  }

  file(): Statement[] {
    const statements: Statement[] = [];
    while (this.#cursor.current.kind !== 'end') {
      this.#statement({ inFunction: false, inLoop: false }, statements);
    }
    return statements;
  }

  /** A compound statement, or all statements of a line: as many as a file holds, so they are added and not returned to be spread. */
  #statement(around: Surroundings, into: Statement[]): void {
    const { at } = this.#cursor.current;
    if (this.#cursor.skip('if')) into.push(this.#if(at, around));
    else if (this.#cursor.skip('for')) into.push(this.#for(at, around));
    else if (this.#cursor.skip('def')) into.push(this.#def(at));
    else this.#line(around, into);
  }

  /** Statements on one line, with semicolons between them. */
  #line(around: Surroundings, into: Statement[]): void {
    into.push(this.#simple(around));
    while (this.#cursor.skip(';')) {
      if (this.#cursor.current.kind === 'newline') break;
      into.push(this.#simple(around));
    }
    if (!this.#cursor.skipKind('newline')) throw this.#cursor.unexpected('the end of the line');
  }

  #block(around: Surroundings): Statement[] {
    this.#cursor.expect(':');
    const statements: Statement[] = [];
    if (!this.#cursor.skipKind('newline')) {
      this.#line(around, statements);
      return statements;
    }
    if (!this.#cursor.skipKind('indent')) throw this.#cursor.unexpected('an indented line');
    return this.#cursor.nested(() => {
      while (!this.#cursor.skipKind('dedent')) this.#statement(around, statements);
      return statements;
    });
  }

  #if(at: number, around: Surroundings): Statement {
    const branches = [{ test: parseExpression(this.#cursor), body: this.#block(around) }];
    while (this.#cursor.skip('elif')) {
      branches.push({ test: parseExpression(this.#cursor), body: this.#block(around) });
    }
    const otherwise = this.#cursor.skip('else') ? this.#block(around) : [];
    return { kind: 'if', at, branches, otherwise };
  }

  #for(at: number, around: Surroundings): Statement {
    const target = parseLoopTarget(this.#cursor, EXPRESSIONS);
    this.#cursor.expect('in');
    const iterable = parseExpression(this.#cursor);
    return { kind: 'for', at, target, iterable, body: this.#block({ ...around, inLoop: true }) };
  }

  #def(at: number): Statement {
    const name = this.#cursor.expectName().text;
    this.#cursor.expect('(');
    const parameters = parseParameters(this.#cursor, ')', EXPRESSIONS);
    this.#cursor.expect(')');
    const body = this.#block({ inFunction: true, inLoop: false });
    return { kind: 'def', at, definition: { kind: 'function', at, name, parameters, body } };
  }

  #simple(around: Surroundings): Statement {
    const { at } = this.#cursor.current;
    if (this.#cursor.is('load')) throw this.#cursor.unsupported('`load`');
    if (this.#cursor.skip('pass')) return { kind: 'pass', at };
    for (const kind of ['break', 'continue'] as const) {
      if (!this.#cursor.skip(kind)) continue;
      if (!around.inLoop) throw this.#cursor.error(`\`${kind}\` outside a \`for\` loop`, at);
      return { kind, at };
    }
    if (!this.#cursor.skip('return')) return this.#assignment(at);
    if (!around.inFunction) throw this.#cursor.error('`return` outside a `def`', at);
    const { current } = this.#cursor;
    const isEmpty = current.kind === 'newline' || this.#cursor.is(';');
    return { kind: 'return', at, value: isEmpty ? undefined : parseExpressions(this.#cursor) };
  }

  #assignment(at: number): Statement {
    const left = parseExpressions(this.#cursor);
    const { current } = this.#cursor;
    if (current.kind !== 'symbol') return { kind: 'expression', at, value: left };
    if (this.#cursor.skip('=')) {
      const target = asTarget(this.#cursor, left);
      return { kind: 'assign', at, target, value: parseExpressions(this.#cursor) };
    }
    if (this.#cursor.is(':')) throw this.#cursor.unsupported('type annotations');
    const operator = Object.hasOwn(UPDATES, current.text) ? UPDATES[current.text] : undefined;
    return operator === undefined
      ? { kind: 'expression', at, value: left }
      : this.#update(left, operator, at);
  }

  #update(left: Expression, operator: ArithmeticOperator, at: number): Statement {
    const target = asTarget(this.#cursor, left);
    if (target.kind === 'unpack') throw this.#cursor.error('a list of names cannot be updated', at);
    this.#cursor.advance();
    return { kind: 'update', at, target, operator, value: parseExpressions(this.#cursor) };
  }
}
