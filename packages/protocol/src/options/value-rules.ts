// Rules for values of options.

import { findWrongOption, isPlainRecord, type OptionRules, show, type ValueRule } from './check-options.js';

/** Checked where it is used. */
export const anything: ValueRule = () => undefined;

export const text: ValueRule = (value) =>
  typeof value === 'string' ? undefined : `is a string, not ${show(value)}`;

export const texts: ValueRule = (value) => {
  if (typeof value === 'string') return `is a list of strings; did you mean [${show(value)}]?`;
  if (!Array.isArray(value)) return `is a list of strings, not ${show(value)}`;
  const odd: unknown = value.find((item) => typeof item !== 'string');
  return value.every((item) => typeof item === 'string')
    ? undefined
    : `is a list of strings; ${show(odd)} is none`;
};

export const flag: ValueRule = (value) =>
  typeof value === 'boolean' ? undefined : `is true or false, not ${show(value)}`;

export const count: ValueRule = (value) =>
  typeof value === 'number' && value >= 0 ? undefined : `is a number, 0 or more, not ${show(value)}`;

export const duration: ValueRule = (value) =>
  typeof value === 'number' && value >= 0
    ? undefined
    : `is a time in milliseconds, 0 or more, not ${show(value)}`;

export const callback: ValueRule = (value) =>
  typeof value === 'function' ? undefined : `is a function, not ${show(value)}`;

/** By its shape: signals of other realms and of polyfills are as good. */
export const abortSignal: ValueRule = (value) =>
  isPlainRecord(value) && 'aborted' in value && 'addEventListener' in value
    ? undefined
    : `is an AbortSignal, not ${show(value)}`;

export const record: ValueRule = (value) =>
  isPlainRecord(value) ? undefined : `is an object, not ${show(value)}`;

export const oneOf =
  (choices: readonly string[]): ValueRule =>
  (value) =>
    typeof value === 'string' && choices.includes(value)
      ? undefined
      : `is one of ${choices.join(', ')}, not ${show(value)}`;

export const someOf =
  (choices: readonly string[]): ValueRule =>
  (value) => {
    const wrong = texts(value);
    if (wrong !== undefined) return wrong;
    const odd = (value as readonly string[]).find((item) => !choices.includes(item));
    return odd === undefined ? undefined : `has ${show(odd)}, which is none of ${choices.join(', ')}`;
  };

/** An object with options of its own. */
export const nested =
  (rules: OptionRules): ValueRule =>
  (value) =>
    isPlainRecord(value) ? findWrongOption(value, rules) : `is an object, not ${show(value)}`;
