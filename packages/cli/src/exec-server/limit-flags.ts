// Turns the limit tables into flags, and flags into limits. A flag is the limit's name in kebab-case.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { LIMIT_TABLES, type LimitSlice } from './limit-tables.js';

export type LimitFlags = Readonly<Record<string, unknown>>;
export type LimitOverrides = Readonly<
  Partial<Record<LimitSlice, Readonly<Record<string, number | boolean>>>>
>;

export function addLimitFlags(command: Command): void {
  for (const { title, defaults, texts } of Object.values(LIMIT_TABLES)) {
    for (const [name, fallback] of Object.entries(defaults)) {
      command.addOption(limitOption(name, fallback, texts[name] ?? '').helpGroup(title));
    }
  }
}

/** The limits that were given, by slice; what was not given keeps its default. */
export function limitOverrides(flags: LimitFlags): LimitOverrides {
  const overrides: Partial<Record<LimitSlice, Record<string, number | boolean>>> = {};
  for (const [slice, { defaults }] of Object.entries(LIMIT_TABLES)) {
    for (const [name, fallback] of Object.entries(defaults)) {
      const given = flags[name];
      if ((typeof given !== 'number' && typeof given !== 'boolean') || given === fallback) continue;
      overrides[slice as LimitSlice] = { ...overrides[slice as LimitSlice], [name]: given };
    }
  }
  return overrides;
}

function limitOption(name: string, fallback: number | boolean, text: string): Option {
  const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (typeof fallback === 'boolean') return new Option(`--no-${flag}`, text);
  const unit = name.endsWith('Ms') ? 'ms' : name.includes('Bytes') ? 'bytes' : 'n';
  return new Option(`--${flag} <${unit}>`, `${text} (default: ${fallback})`).argParser(wholeNumber);
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('expected a whole number.');
  return value;
}
