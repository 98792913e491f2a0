// Rows as lines of aligned columns. What others wrote is shown in a way that changes no terminal.

import { visibleText } from '@codex/exec-protocol';

export function textTable(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(visibleText));
  const columns = Math.max(...shown.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...shown.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${shown.map(line).join('\n')}\n`;
}
