// Checks an options object at run time, for the client and the sandbox alike. TypeScript says the same sooner, but not to
// JavaScript and not through a spread, and a misspelt name would be ignored silently.

import { nearestName } from './nearest-name.js';

export interface WrongOption {
  readonly option: string;
  /** A whole sentence. */
  readonly message: string;
}

/** Says what is wrong with a value: the end of a sentence about it, or of a nested options object the whole finding. */
export type ValueRule = (value: unknown) => string | WrongOption | undefined;

export interface OptionRules {
  /** How messages name what has these options: a call, mostly. */
  readonly of: string;
  readonly values: Readonly<Record<string, ValueRule>>;
  /** Names that have to be there. */
  readonly required?: readonly string[];
  /** Names that people know from elsewhere, and what they are called here. */
  readonly otherNames?: Readonly<Record<string, string>>;
}

/** The first thing that is wrong. A known option whose value is undefined counts as absent. */
export function findWrongOption(options: unknown, rules: OptionRules): WrongOption | undefined {
  const { of, values, required = [] } = rules;
  if (!isPlainRecord(options)) {
    return { option: 'options', message: `${of} takes an object with options, not ${show(options)}` };
  }
  for (const [option, value] of Object.entries(options)) {
    const rule = Object.hasOwn(values, option) ? values[option] : undefined;
    if (rule === undefined) return { option, message: unknownOption(option, rules) };
    const wrong = value === undefined ? undefined : rule(value);
    if (typeof wrong === 'string') return { option, message: `${of}: \`${option}\` ${wrong}` };
    if (wrong !== undefined) return wrong;
  }
  const option = required.find((name) => options[name] === undefined);
  return option === undefined ? undefined : { option, message: `${of} needs the option \`${option}\`` };
}

function unknownOption(name: string, { of, values, otherNames = {} }: OptionRules): string {
  const meant = Object.hasOwn(otherNames, name) ? otherNames[name] : nearestName(name, Object.keys(values));
  return `${of} has no option \`${name}\`${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`;
}

export function isPlainRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in an error message, short. */
export function show(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 80 ? `${value.slice(0, 80)}…` : value}'`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
