// The chart as an SVG of its own making: one bar per scenario, how many times better or worse ours is, on a logarithmic
// axis around 1. It follows the reader's light or dark theme.
import { machineSentence } from './machine.js';
import type { Report, Row } from './report.js';
import { figureText, ratioText } from './table.js';

const WIDTH = 960;
const LABELS = 290;
const FIGURES = 250;
const ROW = 26;
const TOP = 84;
const BOTTOM = 58;
const LEFT = LABELS + 16;
const RIGHT = WIDTH - FIGURES;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 18px; font-weight: 600; }
  .quiet { fill: #59636e; font-size: 12px; }
  .grid { stroke: #d1d9e0; }
  .even { stroke: #59636e; stroke-width: 1.5; }
  .better { fill: #1a7f37; }
  .worse { fill: #bc4c00; }
  .mark { fill: none; stroke: #0969da; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .quiet { fill: #9198a1; }
    .grid { stroke: #3d444d; }
    .even { stroke: #9198a1; }
    .better { fill: #2ea043; }
    .worse { fill: #db6d28; }
    .mark { stroke: #4493f8; }
  }`;

export function renderChart(report: Report): string {
  const [ours = '', ...others] = report.columns;
  const theirs = report.peer ?? '';
  const relayed = others.find((column) => column !== theirs && column.startsWith(theirs));
  const rows = report.rows.filter((row) => row.ratios[theirs] !== undefined);
  const scale = logScale(
    rows.flatMap(({ ratios }) => Object.entries(ratios).flatMap(chosen([theirs, relayed]))),
  );
  const height = TOP + rows.length * ROW + BOTTOM;
  const bars = rows.map((row, index) => bar(row, { y: TOP + index * ROW, scale, ours, theirs, relayed }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeXml(`${ours} against ${theirs}`)}">`,
    `<style>${STYLE}\n</style>`,
    `<text class="title" x="16" y="30">${escapeXml(`${capital(ours)} against ${theirs}`)}</text>`,
    `<text class="quiet" x="16" y="50">How many times better (right of 1x) or worse. ${relayed === undefined ? '' : `Circle: against ${escapeXml(relayed)}.`}</text>`,
    ...scale.ticks.map((tick) => gridLine(tick, scale.x(tick), height - BOTTOM)),
    ...bars,
    ...footer(report, height),
    '</svg>',
    '',
  ].join('\n');
}

const chosen =
  (columns: readonly (string | undefined)[]) =>
  ([column, ratio]: [string, number]): number[] =>
    columns.includes(column) && Number.isFinite(ratio) ? [ratio] : [];

interface LogScale {
  readonly ticks: readonly number[];
  x(ratio: number): number;
}

function logScale(ratios: readonly number[]): LogScale {
  const low = Math.min(0.5, ...ratios);
  const high = Math.max(10, ...ratios);
  const span = Math.log(high) - Math.log(low);
  const x = (ratio: number) => LEFT + ((Math.log(ratio) - Math.log(low)) / span) * (RIGHT - LEFT - 8);
  const ticks = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].filter((t) => t >= low && t <= high);
  return { ticks, x };
}

function gridLine(tick: number, x: number, bottom: number): string {
  const at = x.toFixed(1);
  return (
    `<line class="${tick === 1 ? 'even' : 'grid'}" x1="${at}" x2="${at}" y1="${TOP - 6}" y2="${bottom}"/>` +
    `<text class="quiet" x="${at}" y="${TOP - 12}" text-anchor="middle">${tick}x</text>`
  );
}

interface BarOptions {
  readonly y: number;
  readonly scale: LogScale;
  readonly ours: string;
  readonly theirs: string;
  readonly relayed: string | undefined;
}

function bar(row: Row, { y, scale, ours, theirs, relayed }: BarOptions): string {
  const ratio = row.ratios[theirs] ?? 1;
  const [from, to] = [scale.x(Math.min(1, ratio)), scale.x(Math.max(1, ratio))];
  const middle = y + ROW / 2;
  const other = relayed === undefined ? undefined : row.ratios[relayed];
  const goal = row.goal === null ? '' : row.goal.met ? ' ✓' : ' ✗';
  return [
    `<text x="${LABELS}" y="${middle + 4}" text-anchor="end">${escapeXml(row.name)}</text>`,
    `<rect class="${ratio >= 1 ? 'better' : 'worse'}" x="${from.toFixed(1)}" y="${y + 5}" width="${Math.max(1.5, to - from).toFixed(1)}" height="${ROW - 10}" rx="2"/>`,
    other === undefined
      ? ''
      : `<circle class="mark" cx="${scale.x(other).toFixed(1)}" cy="${middle}" r="4.5"/>`,
    `<text x="${RIGHT + 8}" y="${middle + 4}">${escapeXml(`${ratioText(row, theirs)}${goal}`)}</text>`,
    `<text class="quiet" x="${RIGHT + 76}" y="${middle + 4}">${escapeXml(`${figureText(row, ours)} / ${figureText(row, theirs)}`)}</text>`,
  ].join('');
}

function footer({ date, machine, rounds, load, version }: Report, height: number): string[] {
  const run = `${date.slice(0, 10)}, medians of ${rounds} interleaved rounds, load average ${load.before.toFixed(1)}. ✓ ✗: the goal of the row is met or missed.`;
  return [run, `Ours ${version}; ${machineSentence(machine)}`].map(
    (line, index) =>
      `<text class="quiet" x="16" y="${height - BOTTOM + 28 + index * 18}">${escapeXml(line)}</text>`,
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
