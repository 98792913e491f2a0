// The table people read, and the JSON that charts and documents are made from.
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { isBetterWhenLower, type Scenario } from './scenario.js';
import { median, quantile } from './statistics.js';

export interface Measurement {
  readonly scenario: Scenario;
  /** Server name → all samples of all rounds. */
  readonly samples: ReadonlyMap<string, readonly number[]>;
}

/** How many times better `ours` is than `theirs`; below 1 it is worse. */
export function ratio(unit: Scenario['unit'], ours: number, theirs: number): number {
  return isBetterWhenLower(unit) ? theirs / ours : ours / theirs;
}

export function renderTable(measurements: readonly Measurement[], servers: readonly string[]): string {
  const [ours, ...others] = servers;
  const header = ['', ...servers, ...others.map((name) => `ratio to ${name}`), 'goal'];
  const rows = measurements.map(({ scenario, samples }) => {
    const medians = servers.map((name) => median(samples.get(name) ?? []));
    const [own = Number.NaN, ...rest] = medians;
    return [
      scenario.name,
      ...medians.map((value) => figure(value, scenario.unit)),
      ...rest.map((value) => `${ratio(scenario.unit, own, value).toFixed(2)}x`),
      scenario.goal === undefined || ours === undefined ? '' : `${scenario.goal.toFixed(2)}x`,
    ];
  });
  return alignColumns([header, ...rows]);
}

export function toJson(measurements: readonly Measurement[], servers: readonly string[]): unknown {
  return {
    date: new Date().toISOString(),
    node: process.version,
    machine: {
      platform: platform(),
      release: release(),
      arch: arch(),
      cpus: cpus().length,
      cpu: cpus()[0]?.model ?? 'unknown',
      memoryGiB: Math.round(totalmem() / 2 ** 30),
    },
    servers,
    scenarios: measurements.map(({ scenario, samples }) => ({
      name: scenario.name,
      unit: scenario.unit,
      goal: scenario.goal ?? null,
      figures: Object.fromEntries(
        [...samples].map(([name, values]) => [
          name,
          {
            median: median(values),
            p10: quantile(values, 0.1),
            p90: quantile(values, 0.9),
            samples: values.length,
          },
        ]),
      ),
    })),
  };
}

function figure(value: number, unit: Scenario['unit']): string {
  if (Number.isNaN(value)) return 'failed';
  return `${value < 10 ? value.toFixed(2) : Math.round(value)} ${unit}`;
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('   '),
    )
    .join('\n');
}
