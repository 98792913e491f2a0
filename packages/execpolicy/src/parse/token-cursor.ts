// The parser's position in the tokens, and its depth of nesting.

import type { ExecPolicyError } from '../exec-policy-error.js';
import { describeToken, type Token } from '../lex/token.js';
import { LIMITS } from '../limits.js';
import type { SourceText } from '../source/source-text.js';

export class TokenCursor {
  readonly #source: SourceText;
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  #index = 0;
  #depth = 0;

  constructor(source: SourceText, tokens: readonly Token[]) {
    this.#source = source;
    this.#tokens = tokens;
    this.#end = tokens.at(-1) ?? { kind: 'end', at: 0 };
  }

  get current(): Token {
    return this.#tokens[this.#index] ?? this.#end;
  }

  get following(): Token {
    return this.#tokens[this.#index + 1] ?? this.#end;
  }

  advance(): Token {
    const token = this.current;
    this.#index++;
    return token;
  }

  is(text: string): boolean {
    return isWord(this.current, text);
  }

  followingIs(text: string): boolean {
    return isWord(this.following, text);
  }

  /** Moves past the symbol or keyword if it is the current token. */
  skip(text: string): boolean {
    const found = this.is(text);
    if (found) this.#index++;
    return found;
  }

  skipKind(kind: Token['kind']): boolean {
    const found = this.current.kind === kind;
    if (found) this.#index++;
    return found;
  }

  expect(text: string): void {
    if (!this.skip(text)) throw this.unexpected(`\`${text}\``);
  }

  expectName(): Token & { kind: 'name' } {
    const token = this.current;
    if (token.kind !== 'name') throw this.unexpected('a name');
    this.#index++;
    return token;
  }

  /** Runs `parse` one level deeper. */
  nested<T>(parse: () => T): T {
    if (this.#depth >= LIMITS.nesting) {
      throw this.#source.error('RULES_LIMIT', `nested more than ${LIMITS.nesting} deep`, this.current.at);
    }
    this.#depth++;
    try {
      return parse();
    } finally {
      this.#depth--;
    }
  }

  unexpected(wanted: string): ExecPolicyError {
    return this.error(`expected ${wanted}, found ${describeToken(this.current)}`);
  }

  error(reason: string, at = this.current.at): ExecPolicyError {
    return this.#source.error('RULES_SYNTAX', reason, at);
  }

  unsupported(what: string, at = this.current.at): ExecPolicyError {
    return this.#source.error('RULES_UNSUPPORTED', `${what}: not supported in rule files here`, at);
  }
}

function isWord(token: Token, text: string): boolean {
  return (token.kind === 'symbol' || token.kind === 'keyword') && token.text === text;
}
