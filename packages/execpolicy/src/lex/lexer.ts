// Splits text into tokens. Indentation becomes tokens of its own, as in Python; inside brackets line ends do not
// matter.

import { LIMITS } from '../limits.js';
import type { SourceText } from '../source/source-text.js';
import { readString } from './string-literal.js';
import { KEYWORDS, RESERVED, type Token } from './token.js';

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const FLOAT = /\d+(?:\.|[eE][+-]?\d)|\.\d/y;
const INTEGER = /0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|\d+/y;
const UNSUPPORTED = /\.\.\.|->|<<=?|>>=?|[&|^]=?|~|\/=(?!\/)|\/(?!\/)/y;
const SYMBOL = /\*\*|\/\/=|\/\/|[-+*%=!<>]=|[-+*%=<>()[\]{},:.;]/y;
const LINE_JOIN = /\\\r?\n/y;
const BLANK_LINE = /(?: |\\\r?\n)*(?:#[^\n]*)?(?:\r?\n|$)/y;
const SPACES = / */y;

export function tokenize(source: SourceText): Token[] {
  return new Lexer(source).run();
}

class Lexer {
  readonly #source: SourceText;
  readonly #text: string;
  readonly #tokens: Token[] = [];
  readonly #indents: number[] = [0];
  #at = 0;
  #brackets = 0;

  constructor(source: SourceText) {
    this.#source = source;
    this.#text = source.text;
  }

  run(): Token[] {
    this.#startLine();
    while (this.#at < this.#text.length) this.#next();
    const end = this.#text.length;
    if (this.#tokens.length > 0 && this.#tokens.at(-1)?.kind !== 'newline')
      this.#push({ kind: 'newline', at: end });
    for (let level = this.#indents.length; level > 1; level--) this.#push({ kind: 'dedent', at: end });
    this.#push({ kind: 'end', at: end });
    return this.#tokens;
  }

  #next(): void {
    const character = this.#text[this.#at] ?? '';
    if (character === ' ') this.#at++;
    else if (character === '\n' || this.#text.startsWith('\r\n', this.#at)) this.#endLine(character);
    else if (character === '#') this.#skipComment();
    else if (character === '\\' && this.#take(LINE_JOIN) !== undefined) return;
    else if (character === '\t') throw this.#error('tabs are not allowed; indent with spaces');
    else if (!this.#readString() && !this.#readNumber() && !this.#readWord() && !this.#readSymbol()) {
      throw this.#error(`unexpected character ${visible(this.#text.codePointAt(this.#at) ?? 0)}`);
    }
  }

  #endLine(character: string): void {
    const at = this.#at;
    this.#at += character === '\n' ? 1 : 2;
    if (this.#brackets > 0) return;
    this.#push({ kind: 'newline', at });
    this.#startLine();
  }

  /** Skips lines without content, then compares the indentation with that of the blocks that are open. */
  #startLine(): void {
    while (this.#at < this.#text.length && this.#take(BLANK_LINE) !== undefined);
    if (this.#at >= this.#text.length) return;
    const at = this.#at;
    const width = (this.#take(SPACES) ?? '').length;
    if (this.#text[this.#at] === '\t') throw this.#error('tabs are not allowed; indent with spaces');
    const current = this.#indents.at(-1) ?? 0;
    if (width > current) {
      if (this.#indents.length > LIMITS.nesting) throw this.#tooDeep();
      this.#indents.push(width);
      this.#push({ kind: 'indent', at });
      return;
    }
    while (width < (this.#indents.at(-1) ?? 0)) {
      this.#indents.pop();
      this.#push({ kind: 'dedent', at: this.#at });
    }
    if (width !== this.#indents.at(-1)) throw this.#error('the indentation matches no block');
  }

  #skipComment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }

  #readString(): boolean {
    const at = this.#at;
    const literal = readString(this.#source, at);
    if (literal === undefined) return false;
    const [value = ''] = literal.parts;
    if (literal.isTemplate) this.#push({ kind: 'template', at, parts: literal.parts });
    else if (typeof value === 'string') this.#push({ kind: 'string', at, value });
    this.#at = literal.end;
    return true;
  }

  #readNumber(): boolean {
    const at = this.#at;
    if (this.#take(FLOAT) !== undefined) throw this.#unsupported('numbers with a fraction', at);
    const digits = this.#take(INTEGER);
    if (digits === undefined) return false;
    if (/^0\d/.test(digits)) throw this.#source.error('RULES_SYNTAX', 'a number does not start with 0', at);
    if (digits.length * 4 > LIMITS.integerBits)
      throw this.#source.error('RULES_LIMIT', 'the number is too large', at);
    this.#push({ kind: 'integer', at, value: BigInt(digits.toLowerCase()) });
    return true;
  }

  #readWord(): boolean {
    const at = this.#at;
    const text = this.#take(NAME);
    if (text === undefined) return false;
    if (RESERVED.has(text)) throw this.#source.error('RULES_SYNTAX', `\`${text}\` is a reserved word`, at);
    this.#push({ kind: KEYWORDS.has(text) ? 'keyword' : 'name', at, text });
    return true;
  }

  #readSymbol(): boolean {
    const at = this.#at;
    const foreign = this.#take(UNSUPPORTED);
    if (foreign !== undefined) throw this.#unsupported(`\`${foreign}\``, at);
    const text = this.#take(SYMBOL);
    if (text === undefined) return false;
    if ('([{'.includes(text)) this.#brackets++;
    else if (')]}'.includes(text)) this.#brackets = Math.max(0, this.#brackets - 1);
    this.#push({ kind: 'symbol', at, text });
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match[0];
  }

  #push(token: Token): void {
    this.#tokens.push(token);
  }

  #error(reason: string) {
    return this.#source.error('RULES_SYNTAX', reason, this.#at);
  }

  #unsupported(what: string, at: number) {
    return this.#source.error('RULES_UNSUPPORTED', `${what}: not supported in rule files here`, at);
  }

  #tooDeep() {
    return this.#source.error('RULES_LIMIT', `blocks are nested more than ${LIMITS.nesting} deep`, this.#at);
  }
}

/** A byte order mark, say, is seen by nobody who reads the message. */
function visible(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  if (/[^\p{C}\p{Z}]/u.test(character)) return JSON.stringify(character);
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}
