// Options are checked when a call is made: in a sandbox a misspelt name is a protection that is silently absent.
// TypeScript says the same sooner, but not to JavaScript and not through a spread.
import { SandboxError } from '../errors.js';
import { nearestName } from './nearest-name.js';

/** Says what is wrong with a value as the end of a sentence, or nothing. */
export type ValueRule = (value: unknown) => string | undefined;

export interface OptionRules {
  /** How errors name what has these options. */
  readonly of: string;
  readonly values: Readonly<Record<string, ValueRule>>;
  /** Names that have to be there. */
  readonly required?: readonly string[];
  /** Names that people know from elsewhere, and what they are called here. */
  readonly otherNames?: Readonly<Record<string, string>>;
}

/** Throws `SANDBOX_POLICY_INVALID` for the first thing that is wrong. A known option that is undefined is absent. */
export function checkOptions(options: unknown, rules: OptionRules): void {
  const wrong = findWrongOption(options, rules);
  if (wrong !== undefined) throw new SandboxError('SANDBOX_POLICY_INVALID', wrong);
}

export function findWrongOption(options: unknown, rules: OptionRules): string | undefined {
  if (!isPlainRecord(options)) return `${rules.of} takes an object with options, not ${show(options)}`;
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules.values, name) ? rules.values[name] : undefined;
    if (rule === undefined) return unknownOption(name, rules);
    const wrong = value === undefined ? undefined : rule(value);
    if (wrong !== undefined) return `${rules.of}: \`${name}\` ${wrong}`;
  }
  const missing = rules.required?.find((name) => options[name] === undefined);
  return missing === undefined ? undefined : `${rules.of} needs the option \`${missing}\``;
}

export function isPlainRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in an error message, short. */
export function show(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 80)}'`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function unknownOption(name: string, { of, values, otherNames = {} }: OptionRules): string {
  const meant = Object.hasOwn(otherNames, name) ? otherNames[name] : nearestName(name, Object.keys(values));
  return `${of} has no option \`${name}\`${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`;
}
