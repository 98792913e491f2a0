// The parameters of a `def` or `lambda`: plain, with a default, `*rest` or `*`, named-only, `**rest`.

import type { Parameter } from './ast.js';
import type { ExpressionParser } from './expression-parser.js';
import type { TokenCursor } from './token-cursor.js';

export function parseParameters(cursor: TokenCursor, end: ')' | ':', parser: ExpressionParser): Parameter[] {
  const list = new ParameterList(cursor, end === ')', parser);
  while (!cursor.is(end)) {
    list.add();
    if (!cursor.is(end)) cursor.expect(',');
  }
  return list.finish();
}

class ParameterList {
  readonly #cursor: TokenCursor;
  readonly #parser: ExpressionParser;
  /** A lambda ends its parameters with a colon; in a `def` a colon is a type annotation. */
  readonly #isDefinition: boolean;
  readonly #parameters: Parameter[] = [];
  /** Where a `*` without a name stood: it has to be followed by a named parameter. */
  #bareStar: number | undefined;
  #isNamedOnly = false;

  constructor(cursor: TokenCursor, isDefinition: boolean, parser: ExpressionParser) {
    this.#cursor = cursor;
    this.#isDefinition = isDefinition;
    this.#parser = parser;
  }

  add(): void {
    const { at } = this.#cursor.current;
    if (this.#parameters.at(-1)?.kind === 'rest-named')
      throw this.#cursor.error('a parameter after `**`', at);
    if (this.#cursor.skip('**')) this.#push('rest-named', at);
    else if (this.#cursor.skip('*')) this.#addStar(at);
    else this.#addPlain(at);
  }

  finish(): Parameter[] {
    if (this.#bareStar !== undefined) {
      throw this.#cursor.error('a named parameter has to follow `*`', this.#bareStar);
    }
    return this.#parameters;
  }

  #addStar(at: number): void {
    if (this.#isNamedOnly) throw this.#cursor.error('a second `*` parameter', at);
    this.#isNamedOnly = true;
    if (this.#cursor.current.kind === 'name') this.#push('rest', at);
    else this.#bareStar = at;
  }

  #addPlain(at: number): void {
    const parameter = this.#push(this.#isNamedOnly ? 'named-only' : 'plain', at);
    this.#bareStar = undefined;
    if (this.#isNamedOnly || parameter.fallback !== undefined) return;
    if (this.#parameters.some((other) => other.fallback !== undefined)) {
      throw this.#cursor.error('a parameter without a default after one with a default', at);
    }
  }

  #push(kind: Parameter['kind'], at: number): Parameter {
    const name = this.#cursor.expectName().text;
    if (this.#isDefinition && this.#cursor.is(':')) throw this.#cursor.unsupported('type annotations');
    if (this.#parameters.some((other) => other.name === name)) {
      throw this.#cursor.error(`the parameter \`${name}\` is there twice`, at);
    }
    const hasDefault = (kind === 'plain' || kind === 'named-only') && this.#cursor.skip('=');
    const fallback = hasDefault ? this.#parser.expression(this.#cursor) : undefined;
    const parameter = { kind, name, at, fallback };
    this.#parameters.push(parameter);
    return parameter;
  }
}
