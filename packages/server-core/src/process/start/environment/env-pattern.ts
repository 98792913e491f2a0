// Patterns over environment variable names: the whole name, any case, `*` for any run and `?` for one character.

export type NameTest = (name: string) => boolean;

/** True for names that match at least one of the patterns. */
export function matchesAny(patterns: readonly string[]): NameTest {
  const lowered = patterns.map((pattern) => pattern.toLowerCase());
  const plain = new Set(lowered.filter((pattern) => !isWild(pattern)));
  const wild = lowered.filter(isWild).map((pattern) => [...pattern]);
  return (name) => {
    const text = name.toLowerCase();
    if (plain.has(text)) return true;
    if (wild.length === 0) return false;
    const characters = [...text];
    return wild.some((pattern) => matches(pattern, characters));
  };
}

/** What matching costs at most, in steps: every character of the patterns against every character of the names. */
export function matchingCost(patterns: readonly string[], names: Iterable<string>): number {
  const wild = patterns.filter(isWild).reduce((sum, pattern) => sum + pattern.length, 0);
  let total = 0;
  if (wild > 0) for (const name of names) total += name.length;
  return wild * total;
}

function isWild(pattern: string): boolean {
  return pattern.includes('*') || pattern.includes('?');
}

/**
 * Walks both once and returns to the last star on a mismatch. Patterns come from clients: a regular expression made of
 * many stars would let one of them hold up the whole server.
 */
function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let resume = 0;
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
