// Groups the limits among the settings by the part of the server that they belong to.
import { LIMIT_TABLES, type LimitSlice } from './limit-tables.js';

export type LimitFlags = Readonly<Record<string, unknown>>;
export type LimitOverrides = Readonly<
  Partial<Record<LimitSlice, Readonly<Record<string, number | boolean>>>>
>;

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
