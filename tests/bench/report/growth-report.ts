// The figures of `bench growth` as plain data: what its table, its picture and the documents are made from.
import type { SteadyFigures } from '../growth/steady.js';
import type { Machine } from './machine.js';

export interface Curve {
  /** What there is more and more of. */
  readonly over: string;
  readonly name: string;
  readonly unit: string;
  readonly counts: readonly number[];
  /** Column → one value per count; null where the server refused so many. */
  readonly values: Readonly<Record<string, readonly (number | null)[]>>;
}

export interface GrowthReport {
  readonly date: string;
  readonly machine: Machine;
  readonly version: string;
  readonly rounds: number;
  readonly load: { readonly before: number; readonly after: number };
  /** Ours first. */
  readonly columns: readonly string[];
  readonly curves: readonly Curve[];
  readonly steady: {
    readonly connections: number;
    readonly processesEach: number;
    readonly figures: Readonly<Record<string, SteadyFigures>>;
  };
}
