// Finds lines in a file as a model remembers them: as they are, without blanks at their ends, without any around them, and at
// last with typographic quotes, dashes and blanks taken as plain ones. Each is tried over the whole file before the next.
//
// A model writes both the file and the patch, so the work is counted: lines are compared as numbers, and only so many times.

type Reading = (line: string) => string;

const READINGS: readonly Reading[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => plain(line.trim()),
];

/** Comparisons of one patch; some tenths of a second. */
const MOST_COMPARISONS = 100_000_000;

export interface Search {
  /** The first line that counts. */
  readonly from: number;
  /** Only at the end of the file. */
  readonly isAtEnd: boolean;
}

/** What the searches of one patch may still cost. */
export class SearchBudget {
  #left = MOST_COMPARISONS;

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  spend(comparisons: number): void {
    this.#left -= comparisons;
  }
}

/** The lines of one file, each as the number of its text in a reading. */
export class LineFinder {
  readonly #lines: readonly string[];
  readonly #budget: SearchBudget;
  readonly #readings: (NumberedLines | undefined)[] = [];

  constructor(lines: readonly string[], budget: SearchBudget) {
    this.#lines = lines;
    this.#budget = budget;
  }

  /** The index of the first of them; undefined when they are not there, or not found within the budget. */
  find(wanted: readonly string[], { from, isAtEnd }: Search): number | undefined {
    const last = this.#lines.length - wanted.length;
    const first = isAtEnd ? Math.max(from, last) : from;
    for (const [index, read] of READINGS.entries()) {
      this.#readings[index] ??= new NumberedLines(this.#lines, read);
      const found = this.#readings[index]?.find(wanted, { first, last, budget: this.#budget });
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

class NumberedLines {
  readonly #read: Reading;
  readonly #numbers = new Map<string, number>();
  readonly #lines: Int32Array;

  constructor(lines: readonly string[], read: Reading) {
    this.#read = read;
    this.#lines = Int32Array.from(lines, (line) => this.#numbered(read(line)));
  }

  find(
    wanted: readonly string[],
    { first, last, budget }: { readonly first: number; readonly last: number; readonly budget: SearchBudget },
  ): number | undefined {
    const pattern = wanted.map((line) => this.#numbers.get(this.#read(line)) ?? -1);
    // A line that the file does not have is nowhere.
    if (pattern.includes(-1)) return undefined;
    for (let at = first; at <= last && !budget.isSpent; at++) {
      let same = 0;
      while (same < pattern.length && this.#lines[at + same] === pattern[same]) same++;
      budget.spend(same + 1);
      if (same === pattern.length) return at;
    }
    return undefined;
  }

  #numbered(line: string): number {
    const known = this.#numbers.get(line);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(line, number);
    return number;
  }
}

function plain(line: string): string {
  return line
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ');
}
