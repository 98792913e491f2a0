// What values of options may be.
import { findWrongOption, isPlainRecord, type OptionRules, show, type ValueRule } from './check-options.js';

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

/** Checked where it is used. */
export const anything: ValueRule = () => undefined;

export const record: ValueRule = (value) =>
  isPlainRecord(value) ? undefined : `is an object, not ${show(value)}`;

export const variables: ValueRule = (value) => {
  if (!isPlainRecord(value)) return `is an object of names and values, not ${show(value)}`;
  const odd = Object.entries(value).find(([, content]) => typeof content !== 'string');
  return odd === undefined ? undefined : `has ${odd[0]}: a value is a string, not ${show(odd[1])}`;
};

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

const closed = ['off', 'none', 'no', 'disabled', false] as readonly unknown[];
const open = ['on', 'yes', 'full', 'host', true] as readonly unknown[];

export const network: ValueRule = (value) => {
  const wrong = oneOf(['restricted', 'loopback', 'enabled'])(value);
  if (wrong === undefined) return undefined;
  if (closed.includes(value)) return `${wrong}; did you mean 'restricted'?`;
  return open.includes(value) ? `${wrong}; did you mean 'enabled'?` : wrong;
};

export const unixSockets: ValueRule = oneOf(['none', 'host']);

export const nested =
  (rules: OptionRules): ValueRule =>
  (value) => {
    const wrong = findWrongOption(value, rules);
    return wrong === undefined ? undefined : `is not right: ${wrong}`;
  };
