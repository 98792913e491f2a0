// Finds lines in a file as a model remembers them: as they are, without blanks at their ends, without any around them, and at
// last with typographic quotes, dashes and blanks taken as plain ones. Each is tried over the whole file before the next.

type Reading = (line: string) => string;

const READINGS: readonly Reading[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => plain(line.trim()),
];

export interface Search {
  /** The first line that counts. */
  readonly from: number;
  /** Only at the end of the file. */
  readonly isAtEnd: boolean;
}

/** The index of the first of them; undefined when they are not there. */
export function findLines(
  lines: readonly string[],
  wanted: readonly string[],
  { from, isAtEnd }: Search,
): number | undefined {
  const last = lines.length - wanted.length;
  const first = isAtEnd ? Math.max(from, last) : from;
  for (const read of READINGS) {
    const pattern = wanted.map(read);
    const text = lines.map(read);
    for (let at = first; at <= last; at++) {
      if (pattern.every((line, index) => text[at + index] === line)) return at;
    }
  }
  return undefined;
}

function plain(line: string): string {
  return line
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ');
}
