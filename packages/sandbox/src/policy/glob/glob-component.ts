// One path component of a deny glob: `*`, `?`, `[…]` and characters that stand for themselves.

export type ComponentTest = (name: string) => boolean;

/** A character, or what it may be. */
type Token = string | typeof one | typeof star | CharacterClass;
const one = Symbol('?');
const star = Symbol('*');

export const anyComponent: ComponentTest = () => true;

/** Undefined for a range that runs backwards. */
export function compileComponent(text: string): ComponentTest | undefined {
  const tokens = readTokens(text);
  if (tokens === undefined) return undefined;
  if (tokens.every((token) => typeof token === 'string')) {
    const literal = tokens.join('');
    return (name) => name === literal;
  }
  // Most names are told apart by how they begin or end.
  const head = literalRun(tokens);
  const tail = literalRun([...tokens].reverse().map(reversed))
    .split('')
    .reverse()
    .join('');
  return (name) => name.startsWith(head) && name.endsWith(tail) && matches(tokens, characters(name));
}

class CharacterClass {
  readonly #ranges: readonly (readonly [number, number])[];
  readonly #isNegated: boolean;

  constructor(ranges: readonly (readonly [number, number])[], isNegated: boolean) {
    this.#ranges = ranges;
    this.#isNegated = isNegated;
  }

  has(character: string): boolean {
    const code = character.codePointAt(0) ?? 0;
    return this.#ranges.some(([from, to]) => code >= from && code <= to) !== this.#isNegated;
  }
}

/** Walks both once and returns to the last star on a mismatch. */
function matches(tokens: readonly Token[], name: ArrayLike<string>): boolean {
  let t = 0;
  let n = 0;
  let lastStar = -1;
  let resume = 0;
  while (n < name.length) {
    const token = tokens[t];
    if (token === star) {
      lastStar = t++;
      resume = n;
    } else if (token !== undefined && accepts(token, name[n] ?? '')) {
      t++;
      n++;
    } else if (lastStar >= 0) {
      t = lastStar + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (tokens[t] === star) t++;
  return t === tokens.length;
}

function accepts(token: Token, character: string): boolean {
  if (typeof token === 'string') return token === character;
  return token === one || (token instanceof CharacterClass && token.has(character));
}

/** A character outside the basic plane is one, although it takes two places in a string. */
function characters(text: string): ArrayLike<string> {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
}

function readTokens(text: string): Token[] | undefined {
  const from = Array.from(text);
  const tokens: Token[] = [];
  for (let at = 0; at < from.length; at += 1) {
    const char = from[at] ?? '';
    if (char === '*') {
      if (tokens.at(-1) !== star) tokens.push(star);
    } else if (char === '?') tokens.push(one);
    else if (char === '\\' && at + 1 < from.length) tokens.push(from[++at] ?? '');
    else if (char === '[') {
      const close = from.indexOf(']', at + 2);
      const found = close === -1 ? '[' : readClass(from.slice(at + 1, close));
      if (found === undefined) return undefined;
      tokens.push(found);
      if (close !== -1) at = close;
    } else tokens.push(char);
  }
  return tokens;
}

function readClass(body: readonly string[]): CharacterClass | undefined {
  const isNegated = body[0] === '!' || body[0] === '^';
  const members = isNegated ? body.slice(1) : body;
  const ranges: [number, number][] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = members[at]?.codePointAt(0) ?? 0;
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    const to = isRange ? (members[at + 2]?.codePointAt(0) ?? 0) : from;
    if (to < from) return undefined;
    ranges.push([from, to]);
    if (isRange) at += 2;
  }
  return new CharacterClass(ranges, isNegated);
}

function literalRun(tokens: readonly Token[]): string {
  const end = tokens.findIndex((token) => typeof token !== 'string');
  return tokens.slice(0, end === -1 ? tokens.length : end).join('');
}

function reversed(token: Token): Token {
  return typeof token === 'string' ? token.split('').reverse().join('') : token;
}
