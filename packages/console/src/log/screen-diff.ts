// What changed between two screens: lines that went and lines that came, in the order of the screen. Pure.

export interface ChangedLine {
  readonly kind: 'gone' | 'new';
  readonly text: string;
}

/** Lines that only moved, as they do when a terminal scrolls, are not changed. */
export function screenDiff(before: readonly string[], after: readonly string[]): ChangedLine[] {
  const [rows, columns] = [before.length, after.length];
  const width = columns + 1;
  // lengths[i, j]: the longest list of lines that both have from line i and line j on.
  const lengths = new Uint16Array((rows + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      lengths[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const changed: ChangedLine[] = [];
  let [i, j] = [0, 0];
  while (i < rows || j < columns) {
    if (i < rows && j < columns && before[i] === after[j]) {
      i++;
      j++;
    } else if (i < rows && (j === columns || at(i + 1, j) >= at(i, j + 1)))
      changed.push({ kind: 'gone', text: before[i++] ?? '' });
    else changed.push({ kind: 'new', text: after[j++] ?? '' });
  }
  return changed.filter(({ text }) => text.trim() !== '');
}
