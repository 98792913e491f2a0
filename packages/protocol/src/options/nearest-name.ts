// Finds the known name that a misspelt one probably means.

/** The name that has it as its beginning, or that differs by at most two letters, a third of a short one. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const longer = known.find((candidate) => name.length > 2 && candidate.startsWith(name));
  if (longer !== undefined) return longer;
  const most = Math.min(2, Math.floor(name.length / 3));
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((left, right) => left.distance - right.distance);
  return best?.candidate;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
