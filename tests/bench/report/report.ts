// The figures of a run as plain data: what the table, the chart and the documents are made from.
import { isBetterWhenLower, type Scenario } from '../scenario.js';
import { describeMachine, type Machine } from './machine.js';
import { median, quantile } from './statistics.js';

export interface Measurement {
  readonly scenario: Scenario;
  /** Column → all samples of all rounds. */
  readonly samples: ReadonlyMap<string, readonly number[]>;
}

export interface Figure {
  readonly median: number;
  readonly p10: number;
  readonly p90: number;
  readonly samples: number;
}

export interface Row {
  readonly name: string;
  readonly unit: Scenario['unit'];
  readonly goal: { readonly text: string; readonly met: boolean } | null;
  /** Only the columns that measure it. */
  readonly figures: Readonly<Record<string, Figure>>;
  /** How many times better the first column is than each other one; below 1 it is worse. */
  readonly ratios: Readonly<Record<string, number>>;
}

export interface Report {
  readonly date: string;
  readonly machine: Machine;
  readonly rounds: number;
  /** Load average over the minute before and over the run. */
  readonly load: { readonly before: number; readonly after: number };
  /** What was measured as `ours`. */
  readonly version: string;
  /** Ours first. */
  readonly columns: readonly string[];
  /** The column that goals are against; null when the run had none. */
  readonly peer: string | null;
  readonly rows: readonly Row[];
}

export interface ReportOptions {
  readonly columns: readonly string[];
  readonly peer: string | null;
  readonly version: string;
  readonly rounds: number;
  readonly load: Report['load'];
}

export function buildReport(measurements: readonly Measurement[], options: ReportOptions): Report {
  const rows = measurements.map((measurement) => buildRow(measurement, options));
  return { date: new Date().toISOString(), machine: describeMachine(), ...options, rows };
}

function buildRow({ scenario, samples }: Measurement, { columns, peer }: ReportOptions): Row {
  const { name, unit } = scenario;
  const figures: Record<string, Figure> = {};
  for (const column of columns) {
    const values = samples.get(column) ?? [];
    if (values.length > 0) figures[column] = summarize(values);
  }
  const [ours = '', ...others] = columns;
  const own = figures[ours]?.median;
  const ratios: Record<string, number> = {};
  for (const column of others) {
    const theirs = figures[column]?.median;
    if (own === undefined || theirs === undefined) continue;
    ratios[column] = isBetterWhenLower(unit) ? theirs / own : own / theirs;
  }
  return { name, unit, goal: judge(scenario, { figures, ratios, ours, peer }), figures, ratios };
}

function summarize(values: readonly number[]): Figure {
  return {
    median: median(values),
    p10: quantile(values, 0.1),
    p90: quantile(values, 0.9),
    samples: values.length,
  };
}

type Judged = Pick<Row, 'figures' | 'ratios'> & { readonly ours: string; readonly peer: string | null };

function judge(scenario: Scenario, judged: Judged): Row['goal'] {
  const parts = [overPeer, overSsh, beyondNode, atMost].flatMap((part) => part(scenario, judged) ?? []);
  if (parts.length === 0) return null;
  return { text: parts.map(({ text }) => text).join(', '), met: parts.every(({ met }) => met) };
}

type Part = { readonly text: string; readonly met: boolean } | undefined;

function overPeer({ goal, unit }: Scenario, { ratios, peer }: Judged): Part {
  if (goal === undefined || peer === null) return undefined;
  return { text: timesText(goal, unit), met: (ratios[peer] ?? 0) >= goal };
}

function overSsh({ goalOverSsh, unit }: Scenario, { ratios }: Judged): Part {
  const ssh = Object.keys(ratios).find((column) => column.startsWith('OpenSSH'));
  if (goalOverSsh === undefined || ssh === undefined) return undefined;
  return { text: `${timesText(goalOverSsh, unit)} OpenSSH`, met: (ratios[ssh] ?? 0) >= goalOverSsh };
}

function beyondNode({ goalBeyondNodeMs }: Scenario, { figures, ours }: Judged): Part {
  if (goalBeyondNodeMs === undefined) return undefined;
  const own = figures[ours]?.median ?? Number.NaN;
  const limit = figures['bare Node']?.median ?? Number.NaN;
  return { text: `≤ Node + ${goalBeyondNodeMs} ms`, met: own - limit <= goalBeyondNodeMs };
}

function atMost({ goalAtMost, unit }: Scenario, { figures, ours }: Judged): Part {
  if (goalAtMost === undefined) return undefined;
  return { text: `≤ ${goalAtMost} ${unit}`, met: (figures[ours]?.median ?? Number.NaN) <= goalAtMost };
}

/** Of memory a goal says how many times as much is allowed. */
const timesText = (goal: number, unit: Scenario['unit']): string =>
  unit === 'MiB' ? `≤ ${(1 / goal).toFixed(1)}x` : `≥ ${goal}x`;
