// The table people read; it is Markdown, so that documents can take it as it is.
import { machineSentence } from './machine.js';
import type { Report, Row } from './report.js';

export function renderTable(report: Report): string {
  const [ours = ''] = report.columns;
  const others = report.columns.slice(1);
  const header = ['', ours, 'goal'];
  for (const column of others) header.push(column, 'ratio');
  const rows = report.rows.map((row) => {
    const cells = [row.name, figureText(row, ours), goalText(row)];
    for (const column of others) cells.push(figureText(row, column), ratioText(row, column));
    return cells;
  });
  const { date, machine, rounds, load, version } = report;
  const when = date.slice(0, 16).replace('T', ' ');
  return [
    ...alignColumns([header, ...rows]),
    '',
    `${when} UTC; ours ${version}; ${machineSentence(machine)}; medians of ${rounds} interleaved rounds; load average ` +
      `${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after. A ratio says how many times better ${ours} is.`,
  ].join('\n');
}

export function figureText({ figures, unit }: Row, column: string): string {
  const value = figures[column]?.median;
  if (value === undefined) return '';
  if (Number.isNaN(value)) return 'failed';
  return `${value < 10 ? value.toFixed(2) : Math.round(value)} ${unit}`;
}

export function ratioText({ ratios }: Row, column: string): string {
  const ratio = ratios[column];
  if (ratio === undefined || Number.isNaN(ratio)) return '';
  return `${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio)}x`;
}

const goalText = ({ goal }: Row): string => (goal === null ? '' : `${goal.text} ${goal.met ? '✓' : '✗'}`);

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [header, ...body] = rows.map((row) =>
    line(
      row.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      ),
    ),
  );
  const rule = line(
    widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)),
  );
  return [header ?? '', rule, ...body];
}
