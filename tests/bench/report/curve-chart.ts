// The growth curves as an SVG of its own making: one small picture per figure, logarithmic in both directions, so that what
// grows in proportion is a straight line that climbs at 45 degrees at most.
import type { Curve, GrowthReport } from './growth-report.js';
import { short } from './growth-table.js';
import { machineSentence } from './machine.js';

const PANEL = { width: 184, height: 150, left: 12, right: 12, top: 46, bottom: 26 };
const TOP = 64;
const BOTTOM = 44;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 18px; font-weight: 600; }
  .quiet { fill: #59636e; font-size: 11px; }
  .frame { fill: none; stroke: #d1d9e0; }
  .line { fill: none; stroke-width: 2; }
  .own { stroke: #1a7f37; } .own-text { fill: #1a7f37; font-size: 11px; }
  .other { stroke: #bc4c00; stroke-dasharray: 4 3; } .other-text { fill: #bc4c00; font-size: 11px; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; } .quiet { fill: #9198a1; } .frame { stroke: #3d444d; }
    .own { stroke: #2ea043; } .own-text { fill: #2ea043; }
    .other { stroke: #db6d28; } .other-text { fill: #db6d28; }
  }`;

export function renderCurves(report: GrowthReport): string {
  const kinds = [...new Set(report.curves.map(({ over }) => over))];
  const perRow = Math.max(...kinds.map((kind) => report.curves.filter(({ over }) => over === kind).length));
  const width = perRow * PANEL.width + 16;
  const height = TOP + kinds.length * PANEL.height + BOTTOM;
  const panels = kinds.flatMap((kind, row) =>
    report.curves
      .filter(({ over }) => over === kind)
      .map((curve, column) =>
        panel(curve, report.columns, { x: 8 + column * PANEL.width, y: TOP + row * PANEL.height }),
      ),
  );
  const { date, rounds, load, version, machine } = report;
  const run = `${date.slice(0, 10)}, medians of ${rounds} rounds, load average ${load.before.toFixed(1)}. Ours ${version}; ${machineSentence(machine)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Growth of figures">`,
    `<style>${STYLE}\n</style>`,
    `<text class="title" x="16" y="28">Beside 1, 10, 100 and 1,000 idle processes and connections</text>`,
    `<text class="quiet" x="16" y="48">Both axes logarithmic. Solid: ${escapeXml(report.columns[0] ?? '')}. Dashed: ${escapeXml(report.columns.slice(1).join(', '))}. Figures: first and last point.</text>`,
    ...panels,
    `<text class="quiet" x="16" y="${height - 16}">${escapeXml(run)}</text>`,
    '</svg>',
    '',
  ].join('\n');
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

function panel(curve: Curve, columns: readonly string[], { x, y }: Corner): string {
  const all = Object.values(curve.values).flatMap((values) => values.filter((value) => value !== null));
  const scale = verticalScale(all, y);
  const inner = { left: x + PANEL.left, right: x + PANEL.width - PANEL.right };
  const across = (index: number): number =>
    inner.left + (index / Math.max(1, curve.counts.length - 1)) * (inner.right - inner.left);
  const lines = columns.map((column, number) => {
    const values = curve.values[column] ?? [];
    const points = values.flatMap((value, index) =>
      value === null ? [] : [`${across(index).toFixed(1)},${scale(value).toFixed(1)}`],
    );
    const kind = number === 0 ? 'own' : 'other';
    const [first, last] = [
      values.find((value) => value !== null),
      values.findLast((value) => value !== null),
    ];
    const ends = first == null || last == null ? '' : `${short(first)} → ${short(last)}`;
    return (
      `<polyline class="line ${kind}" points="${points.join(' ')}"/>` +
      `<text class="${kind}-text" x="${number === 0 ? inner.left : inner.right}" y="${y + 36}" text-anchor="${number === 0 ? 'start' : 'end'}">${escapeXml(ends)}</text>`
    );
  });
  const bottom = y + PANEL.height - PANEL.bottom;
  return [
    `<text x="${inner.left}" y="${y + 18}">${escapeXml(`${curve.name}, ${curve.unit}`)}</text>`,
    `<rect class="frame" x="${inner.left}" y="${y + PANEL.top - 6}" width="${inner.right - inner.left}" height="${bottom - y - PANEL.top + 6}"/>`,
    ...lines,
    `<text class="quiet" x="${inner.left}" y="${bottom + 14}">1</text>`,
    `<text class="quiet" x="${inner.right}" y="${bottom + 14}" text-anchor="end">${escapeXml(`1,000 ${curve.over}`)}</text>`,
  ].join('');
}

/** Three decades, as the horizontal axis has, or more where the figures need them. */
function verticalScale(values: readonly number[], y: number): (value: number) => number {
  const low = Math.log10(Math.max(1e-3, Math.min(...values)));
  const span = Math.max(3, Math.log10(Math.max(...values)) - low);
  const [from, to] = [y + PANEL.height - PANEL.bottom - 6, y + PANEL.top];
  return (value) => from - ((Math.log10(Math.max(1e-3, value)) - low) / span) * (from - to);
}

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
