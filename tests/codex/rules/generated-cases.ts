// Rule files by chance, the same for the same seed: patterns, examples, hosts, loops and functions, and damaged ones.

import type { RulesQuestion } from './rules-case.js';

export function generateCase(seed: number): RulesQuestion {
  return new Generator(seed).question();
}

const PROGRAMS = [
  'git',
  'GIT',
  'Git',
  'ls',
  '/usr/bin/git',
  '/opt/git',
  './git',
  '~/git',
  'stra\u00dfe',
  'STRASSE',
  '',
];
const WORDS = [
  'status',
  'STATUS',
  'push',
  '-m',
  '--force',
  'a b',
  '\u00e9',
  'e\u0301',
  '\u212a',
  'k',
  'x"y',
  "x'y",
  '$x',
  '',
];
const DECISIONS = ['allow', 'prompt', 'forbidden'];
const OPERATORS = ['+', '-', '*', '//', '%', '==', '<', 'and', 'or', 'in'];

class Generator {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  question(): RulesQuestion {
    const files = this.#list(1, 3, () => this.#file());
    return {
      files,
      command: [this.#pick(PROGRAMS), ...this.#list(0, 3, () => this.#pick(WORDS))],
      resolve: this.#chance(2),
    };
  }

  #file(): string {
    const text = this.#list(1, 5, () => this.#statement()).join('\n');
    return this.#chance(12) ? this.#damage(text) : text;
  }

  #statement(): string {
    switch (this.#below(8)) {
      case 0:
        return this.#host();
      case 1:
        return `network_rule(${this.#text(['example.com', 'A.com:80', '[::1]'])}, "https", "deny")`;
      case 2:
        return `for item in [${this.#list(1, 3, () => this.#text(WORDS)).join(', ')}]:\n    prefix_rule([${this.#text(PROGRAMS)}, item], ${this.#text(DECISIONS)})`;
      case 3:
        return `def add(words, decision="prompt"):\n    if len(words) > 1:\n        prefix_rule(words, decision)\n    return len(words)\nadd([${this.#text(PROGRAMS)}, ${this.#text(WORDS)}])`;
      case 4:
        return `prefix_rule([${this.#text(PROGRAMS)}], justification="=" + repr(${this.#expression(2)}))`;
      case 5:
        return `[prefix_rule([p, ${this.#text(WORDS)}]) for p in [${this.#list(1, 3, () => this.#text(PROGRAMS)).join(', ')}] if p]`;
      default:
        return this.#rule();
    }
  }

  #host(): string {
    const name = this.#pick(['git', 'GIT', 'ls']);
    const folders = this.#list(0, 2, () => this.#pick(['/usr/bin', '/opt', '/usr/../opt', '/bin/.']));
    return `host_executable("${name}", ${JSON.stringify(folders.map((folder) => `${folder}/${name}`))})`;
  }

  #rule(): string {
    const parts = [
      `pattern=[${[this.#element(PROGRAMS), ...this.#list(0, 2, () => this.#element(WORDS))].join(', ')}]`,
    ];
    if (this.#chance(2)) parts.push(`decision=${this.#chance(15) ? '"deny"' : this.#text(DECISIONS)}`);
    if (this.#chance(3))
      parts.push(`justification=${this.#text(['because', 'so it is', 'it is\n"so"', '\u2028\u007f'])}`);
    if (this.#chance(3)) parts.push('canonical_matching=True');
    if (this.#chance(12)) parts.push(`match=[${this.#example()}]`);
    if (this.#chance(6)) parts.push(`not_match=[${this.#example()}]`);
    return `prefix_rule(${parts.join(', ')})`;
  }

  #example(): string {
    const words = [this.#pick(PROGRAMS), ...this.#list(0, 2, () => this.#pick(WORDS))];
    return this.#chance(2) ? JSON.stringify(words.join(' ')) : JSON.stringify(words);
  }

  #element(from: readonly string[]): string {
    return this.#chance(3) ? `[${this.#list(1, 3, () => this.#text(from)).join(', ')}]` : this.#text(from);
  }

  #expression(depth: number): string {
    if (depth === 0 || this.#chance(4)) {
      return this.#pick([
        '0',
        '7',
        '-3',
        '"ab"',
        '"\u00e9"',
        '[1, 2]',
        '(1,)',
        '{"a": 1}',
        'True',
        'None',
        'range(4)',
        '[]',
        '""',
      ]);
    }
    const inner = (): string => this.#expression(depth - 1);
    switch (this.#below(8)) {
      case 0:
        return `(${inner()} ${this.#pick(OPERATORS)} ${inner()})`;
      case 1:
        return `${this.#pick(['len', 'str', 'repr', 'bool', 'list', 'sorted', 'reversed', 'type', 'any', 'all', 'max', 'int', 'tuple'])}(${inner()})`;
      case 2:
        return `[x for x in ${inner()} if x != ${inner()}]`;
      case 3:
        return `(${inner()} if ${inner()} else ${inner()})`;
      case 4:
        return `${inner()}[${this.#pick(['0', '-1', '1:', ':-1', '::2', '::-1'])}]`;
      case 5:
        return `"%s|%r" % (${inner()}, ${inner()})`;
      case 6:
        return `"{}{!r}".format(${inner()}, ${inner()})`;
      default:
        return `str(${inner()}).${this.#pick(['upper()', 'split(",")', 'strip("[]")', 'replace("a", "b")', 'find("1")', 'startswith("[")', 'partition(",")', 'count("a")'])}`;
    }
  }

  /** A piece is lost or doubled. */
  #damage(text: string): string {
    const start = this.#below(text.length);
    const end = start + 1 + this.#below(4);
    return this.#chance(2) ? text.slice(0, start) + text.slice(end) : text.slice(0, end) + text.slice(start);
  }

  #text(from: readonly string[]): string {
    return JSON.stringify(this.#pick(from));
  }

  #pick(from: readonly string[]): string {
    return from[this.#below(from.length)] ?? '';
  }

  #list<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.#below(most - least + 1) }, make);
  }

  #chance(oneIn: number): boolean {
    return this.#below(oneIn) === 0;
  }

  /** Mulberry32. */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 4294967296) * limit);
  }
}
