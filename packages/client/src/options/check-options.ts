// Options are checked when a call is made, because a misspelt name would be ignored silently.
// TypeScript says the same sooner, but not to JavaScript and not through a spread.

import { type ExecServerError, invalidArgument } from '../exec-server-error.js';

/** Says what is wrong with a value as the end of a sentence, or nothing. */
export type ValueRule = (value: unknown) => string | undefined;

export interface OptionRules {
  /** How errors name the call. */
  readonly call: string;
  readonly values: Readonly<Record<string, ValueRule>>;
  /** Names that people know from elsewhere, and what they are called here. */
  readonly otherNames?: Readonly<Record<string, string>>;
}

/** Throws `argument.invalid` for the first thing that is wrong. */
export function checkOptions(options: unknown, rules: OptionRules): void {
  if (typeof options !== 'object' || options === null) {
    throw invalidArgument('options', `${rules.call} takes its options as an object`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules.values, name) ? rules.values[name] : undefined;
    if (rule === undefined) throw unknownOption(name, rules);
    const wrong = rule(value);
    if (wrong !== undefined) throw invalidArgument(name, `${rules.call}: ${name} ${wrong}`);
  }
}

function unknownOption(
  name: string,
  { call, values, otherNames = {} }: OptionRules,
): ExecServerError<'argument.invalid'> {
  const meant = Object.hasOwn(otherNames, name) ? otherNames[name] : nearest(name, Object.keys(values));
  const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`;
  return invalidArgument(name, `${call} has no option ${name}${suggestion}`);
}

/** The name that has it as its beginning, or that differs by at most two letters, a third of a short one. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const longer = known.find((candidate) => name.length > 2 && candidate.startsWith(name));
  if (longer !== undefined) return longer;
  const most = Math.min(2, Math.floor(name.length / 3));
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((left, right) => left.distance - right.distance);
  return best?.candidate;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
