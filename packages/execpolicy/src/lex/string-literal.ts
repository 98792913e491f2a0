// String literals: plain, raw and f-strings. In an f-string only names may stand between the braces.

import type { SourceText } from '../source/source-text.js';
import { KEYWORDS, RESERVED, type TemplatePart } from './token.js';

const OPENING = /(?:fr|f|r)?("""|'''|"|')/y;
const FOREIGN = /(?:rb|br|b)["']/y;
const TEMPLATE_NAME = /\{ *([A-Za-z_][A-Za-z0-9_]*)(?: *|!([rs]))\}/y;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const MOST_CODE_POINT = 0x10ffff;

export interface StringLiteral {
  readonly end: number;
  /** One string, or none, unless it is an f-string. */
  readonly parts: readonly TemplatePart[];
  readonly isTemplate: boolean;
}

/** Undefined where no string starts at `offset`. */
export function readString(source: SourceText, offset: number): StringLiteral | undefined {
  const { text } = source;
  if (matchAt(FOREIGN, text, offset) !== null) {
    throw source.error('RULES_UNSUPPORTED', 'bytes are not supported', offset);
  }
  const opening = matchAt(OPENING, text, offset);
  if (opening === null) return undefined;
  return new StringReader(source, offset, opening).read();
}

class StringReader {
  readonly #source: SourceText;
  readonly #start: number;
  readonly #quote: string;
  readonly #isRaw: boolean;
  readonly #isTemplate: boolean;
  readonly #parts: TemplatePart[] = [];
  #literal = '';
  #at: number;

  constructor(source: SourceText, start: number, [opening, quote = '"']: RegExpExecArray) {
    this.#source = source;
    this.#start = start;
    this.#quote = quote;
    this.#isRaw = opening.includes('r');
    this.#isTemplate = opening.startsWith('f');
    this.#at = start + opening.length;
  }

  read(): StringLiteral {
    const { text } = this.#source;
    while (!text.startsWith(this.#quote, this.#at)) this.#readCharacter(text[this.#at]);
    this.#flush();
    return { end: this.#at + this.#quote.length, parts: this.#parts, isTemplate: this.#isTemplate };
  }

  #readCharacter(character: string | undefined): void {
    if (character === undefined || (character === '\n' && this.#quote.length === 1)) {
      throw this.#source.error('RULES_SYNTAX', 'the string does not end', this.#start);
    }
    if (character === '\\') this.#readEscape();
    else if (this.#isTemplate && (character === '{' || character === '}')) this.#readBrace(character);
    else {
      // A carriage return inside a string is dropped, so that the end of a line is the same everywhere.
      if (character !== '\r') this.#literal += character;
      this.#at++;
    }
  }

  #readEscape(): void {
    const { text } = this.#source;
    const next = text.startsWith('\r\n', this.#at + 1) ? '\n' : text[this.#at + 1];
    if (this.#isRaw) this.#readRawEscape(next);
    else if (next !== undefined && Object.hasOwn(SIMPLE_ESCAPES, next)) {
      this.#literal += SIMPLE_ESCAPES[next] ?? '';
      this.#at += text[this.#at + 1] === '\r' && next === '\n' ? 3 : 2;
    } else if (next !== undefined && Object.hasOwn(HEX_DIGITS, next)) this.#readHex(HEX_DIGITS[next] ?? 0);
    else if (next !== undefined && /[0-7]/.test(next)) this.#readOctal();
    else this.#keepBackslash(next);
  }

  /** A backslash that starts no escape stands for itself. */
  #keepBackslash(next: string | undefined): void {
    if (this.#isTemplate && (next === '{' || next === '}')) {
      throw this.#source.error('RULES_UNSUPPORTED', 'a backslash before a brace is not supported', this.#at);
    }
    this.#literal += '\\';
    this.#at++;
  }

  #readRawEscape(next: string | undefined): void {
    if (next === '"' || next === "'" || next === '\n' || next === undefined) {
      throw this.#source.error(
        'RULES_UNSUPPORTED',
        'in a raw string a backslash before a quote or the end of the line is not supported',
        this.#at,
      );
    }
    if (next !== '\\') {
      this.#keepBackslash(next);
      return;
    }
    this.#literal += '\\\\';
    this.#at += 2;
  }

  #readHex(length: number): void {
    const digits = this.#source.text.slice(this.#at + 2, this.#at + 2 + length);
    const code = Number.parseInt(digits, 16);
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < length || isSurrogate || code > MOST_CODE_POINT) {
      throw this.#source.error('RULES_SYNTAX', 'the escape is no character', this.#at);
    }
    this.#literal += String.fromCodePoint(code);
    this.#at += 2 + length;
  }

  #readOctal(): void {
    const digits = /^[0-7]{1,3}/.exec(this.#source.text.slice(this.#at + 1, this.#at + 4))?.[0] ?? '0';
    this.#literal += String.fromCodePoint(Number.parseInt(digits, 8));
    this.#at += 1 + digits.length;
  }

  #readBrace(brace: string): void {
    const { text } = this.#source;
    if (text[this.#at + 1] === brace) {
      this.#literal += brace;
      this.#at += 2;
      return;
    }
    const match = matchAt(TEMPLATE_NAME, text, this.#at);
    const [whole = '', name = '', conversion] = match ?? [];
    if (match === null || KEYWORDS.has(name) || RESERVED.has(name)) {
      const reason =
        brace === '}' ? 'a single `}` in an f-string' : 'an f-string may hold names only: {name} or {name!r}';
      throw this.#source.error(brace === '}' ? 'RULES_SYNTAX' : 'RULES_UNSUPPORTED', reason, this.#at);
    }
    this.#flush();
    this.#parts.push({ name, at: this.#at + whole.indexOf(name), isRepr: conversion === 'r' });
    this.#at += whole.length;
  }

  #flush(): void {
    if (this.#literal !== '') this.#parts.push(this.#literal);
    this.#literal = '';
  }
}

function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}
