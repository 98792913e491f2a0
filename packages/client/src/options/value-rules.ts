// What values of options may be.

import { checkOptions, type ValueRule } from './check-options.js';

export const anything: ValueRule = () => undefined;

export const duration: ValueRule = (value) =>
  typeof value === 'number' && value >= 0
    ? undefined
    : `is a time in milliseconds, 0 or more, not ${show(value)}`;

export const count: ValueRule = (value) =>
  typeof value === 'number' && value >= 0 ? undefined : `is a number, 0 or more, not ${show(value)}`;

export const text: ValueRule = (value) =>
  typeof value === 'string' ? undefined : `is a string, not ${show(value)}`;

export const flag: ValueRule = (value) =>
  typeof value === 'boolean' ? undefined : `is true or false, not ${show(value)}`;

export const callback: ValueRule = (value) =>
  typeof value === 'function' ? undefined : `is a function, not ${show(value)}`;

export const abortSignal: ValueRule = (value) =>
  typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value
    ? undefined
    : `is an AbortSignal, not ${show(value)}`;

export const oneOf =
  (...allowed: readonly string[]): ValueRule =>
  (value) =>
    allowed.includes(value as string)
      ? undefined
      : `is ${allowed.map((it) => `'${it}'`).join(' or ')}, not ${show(value)}`;

/** An object with options of its own. */
export const nested =
  (call: string, values: Readonly<Record<string, ValueRule>>): ValueRule =>
  (value) => {
    if (typeof value !== 'object' || value === null) return `is an object, not ${show(value)}`;
    checkOptions(value, { call, values });
    return undefined;
  };

export function show(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}
