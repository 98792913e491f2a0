// The growth figures as text.
import type { Curve, GrowthReport } from './growth-report.js';
import { machineSentence } from './machine.js';

export function renderGrowth({ curves, columns, steady, ...run }: GrowthReport): string {
  const lines = curves.flatMap((curve) => columns.map((column) => curveLine(curve, column)));
  const busy = Object.entries(steady.figures).map(
    ([column, { p50, p90, p99, max, outputOfOthers, alone }]) =>
      `keystroke beside ${steady.connections} connections with ${steady.processesEach} processes each, ${column}: ` +
      `p50 ${short(p50)} ms, p90 ${short(p90)}, p99 ${short(p99)}, at most ${short(max)} (alone p50 ${short(alone.p50)}, ` +
      `p99 ${short(alone.p99)}); the others got ${short(outputOfOthers)} MB/s`,
  );
  const { date, version, machine, rounds, load } = run;
  return [
    ...lines,
    '',
    ...busy,
    '',
    `${date.slice(0, 16).replace('T', ' ')} UTC; ours ${version}; ${machineSentence(machine)}; medians of ${rounds} rounds; ` +
      `load average ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after.`,
  ].join('\n');
}

function curveLine({ over, name, unit, counts, values }: Curve, column: string): string {
  const points = (values[column] ?? []).map((value, index) => {
    const count = (counts[index] ?? 0).toLocaleString('en');
    return `${count}: ${value === null ? 'refused' : short(value)}`;
  });
  return `${name} over ${over}, ${unit}, ${column}:  ${points.join('   ')}`;
}

export const short = (value: number): string =>
  value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : String(Math.round(value));
