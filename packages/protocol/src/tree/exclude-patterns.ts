// What a transfer leaves out, in the language of `.gitignore`: `*`, `?`, `[a-z]`, `**`, a slash at the beginning or within
// (from the root) and at the end (directories only), `!` (takes back), the last match decides. Patterns come from clients
// and names from workspaces: a look at one name takes no more than the product of the lengths of the name and of all
// patterns, however deep it lies, because what the names above it leave open is kept from one look to the next.
import { MAX_EXCLUDE_LENGTH, MAX_EXCLUDE_PATTERN_LENGTH, MAX_EXCLUDE_PATTERNS } from '../limits.js';

export type Excludes = (names: readonly string[], isDirectory: boolean) => boolean;

type Token = '*' | ((character: string) => boolean);
type Part = '**' | readonly Token[];

interface Pattern {
  readonly parts: readonly Part[];
  readonly negates: boolean;
  readonly directoriesOnly: boolean;
}

/** Undefined for more or longer patterns than there may be. Nothing else is wrong: an odd pattern matches itself. */
export function compileExcludes(lines: readonly string[]): Excludes | undefined {
  if (lines.length > MAX_EXCLUDE_PATTERNS) return undefined;
  if (lines.some((line) => line.length > MAX_EXCLUDE_PATTERN_LENGTH)) return undefined;
  if (lines.reduce((sum, line) => sum + line.length, 0) > MAX_EXCLUDE_LENGTH) return undefined;
  const patterns = lines.map(parsePattern).filter((pattern) => pattern !== undefined);
  if (patterns.length === 0) return () => false;
  const open = new OpenPatterns(patterns);
  return (names, isDirectory) => {
    const reached = open.behind(names);
    let isExcluded = false;
    for (const [index, { parts, negates, directoriesOnly }] of patterns.entries()) {
      if (negates !== isExcluded || (directoriesOnly && !isDirectory)) continue;
      if (reached[index]?.has(parts.length) === true) isExcluded = !negates;
    }
    return isExcluded;
  };
}

/** For each pattern the places in it that may come next. */
type Places = readonly ReadonlySet<number>[];

class OpenPatterns {
  readonly #patterns: readonly Pattern[];
  /** Of the path that was looked at last: what is open behind each of its names. */
  readonly #path: { readonly name: string; readonly places: Places }[] = [];
  readonly #atRoot: Places;

  constructor(patterns: readonly Pattern[]) {
    this.#patterns = patterns;
    this.#atRoot = patterns.map(({ parts }) => placesFrom(parts, 0));
  }

  behind(names: readonly string[]): Places {
    let same = 0;
    while (same < names.length && this.#path[same]?.name === names[same]) same++;
    this.#path.length = Math.min(same, this.#path.length);
    for (const name of names.slice(same)) {
      const above = this.#path.at(-1)?.places ?? this.#atRoot;
      const characters = [...name];
      const places = this.#patterns.map(({ parts }, index) =>
        step(parts, above[index] ?? NOWHERE, characters),
      );
      this.#path.push({ name, places });
    }
    return this.#path.at(-1)?.places ?? this.#atRoot;
  }
}

const NOWHERE: ReadonlySet<number> = new Set();

function step(
  parts: readonly Part[],
  places: ReadonlySet<number>,
  name: readonly string[],
): ReadonlySet<number> {
  if (places.size === 0) return NOWHERE;
  const next = new Set<number>();
  for (const place of places) {
    const part = parts[place];
    if (part === undefined || (part !== '**' && !matchesName(part, name))) continue;
    for (const open of placesFrom(parts, part === '**' ? place : place + 1)) next.add(open);
  }
  return next.size === 0 ? NOWHERE : next;
}

/** A `**` may be no name at all. */
function placesFrom(parts: readonly Part[], start: number): ReadonlySet<number> {
  const places = new Set([start]);
  for (let place = start; parts[place] === '**'; place++) places.add(place + 1);
  return places;
}

function parsePattern(line: string): Pattern | undefined {
  const text = withoutEnd(line);
  if (text === '' || text.startsWith('#')) return undefined;
  const negates = text.startsWith('!');
  const body = negates ? text.slice(1) : text;
  const directoriesOnly = body.endsWith('/');
  const path = directoriesOnly ? body.slice(0, -1) : body;
  const names = path.split('/').filter((name, index) => name !== '' || index > 0);
  const parts = names.map((name): Part => (name === '**' ? '**' : tokensOf(name)));
  if (!path.includes('/')) parts.unshift('**');
  // `a/**` is everything in `a`, and not `a` itself.
  if (parts.at(-1) === '**') parts.push(['*']);
  return { parts, negates, directoriesOnly };
}

/** Without the white space at its end, unless a backslash keeps it. */
function withoutEnd(line: string): string {
  let end = line.length;
  while (end > 0 && ' \t\r\n'.includes(line[end - 1] ?? '') && line[end - 2] !== '\\') end--;
  return line.slice(0, end);
}

function tokensOf(name: string): Token[] {
  const characters = [...name];
  const tokens: Token[] = [];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] as string;
    const set = character === '[' ? readSet(characters, index) : undefined;
    if (character === '*') {
      if (tokens.at(-1) !== '*') tokens.push('*');
    } else if (character === '?') tokens.push(() => true);
    else if (set !== undefined) {
      tokens.push(set.matches);
      index = set.end;
    } else {
      const literal = character === '\\' ? (characters[++index] ?? '\\') : character;
      tokens.push((other) => other === literal);
    }
  }
  return tokens;
}

/** A set like `[a-z_]` or `[!0-9]`; undefined when it is not closed, and `[` is a bracket then. */
function readSet(characters: readonly string[], start: number) {
  const isNegated = ['!', '^'].includes(characters[start + 1] ?? '');
  const first = start + (isNegated ? 2 : 1);
  const end = characters.indexOf(']', first + 1);
  if (end === -1) return undefined;
  const ranges: (readonly [string, string])[] = [];
  for (let index = first; index < end; index++) {
    const from = characters[index] as string;
    const isRange = characters[index + 1] === '-' && index + 2 < end;
    ranges.push([from, isRange ? (characters[index + 2] as string) : from]);
    if (isRange) index += 2;
  }
  const matches = (other: string): boolean =>
    ranges.some(([from, to]) => other >= from && other <= to) !== isNegated;
  return { matches, end };
}

/** Going back to the last star is enough: what an earlier one takes more, the last one could take as well. */
function matchesName(tokens: readonly Token[], name: readonly string[]): boolean {
  let at = 0;
  let lastStar = -1;
  let takenByStar = 0;
  let next = 0;
  while (next < name.length) {
    const token = tokens[at];
    if (token === '*') {
      lastStar = at++;
      takenByStar = next;
    } else if (token?.(name[next] as string) === true) {
      at++;
      next++;
    } else if (lastStar !== -1) {
      at = lastStar + 1;
      next = ++takenByStar;
    } else return false;
  }
  while (tokens[at] === '*') at++;
  return at === tokens.length;
}
