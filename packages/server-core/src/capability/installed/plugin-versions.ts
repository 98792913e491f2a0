// Chooses among several installed versions of a plugin.

/** A plugin under development is installed as `local` and comes before every release. */
const LOCAL = 'local';

export function newestVersion(versions: readonly string[]): string | undefined {
  if (versions.includes(LOCAL)) return LOCAL;
  return versions.reduce<string | undefined>(
    (newest, version) => (newest === undefined || compare(version, newest) > 0 ? version : newest),
    undefined,
  );
}

/** By precedence where both are semantic versions, else as texts. */
function compare(a: string, b: string): number {
  const [left, right] = [semantic(a), semantic(b)];
  if (left === undefined || right === undefined) return a < b ? -1 : Number(a > b);
  for (const [index, part] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0;
    if (part !== other) return part - other;
  }
  return comparePrereleases(left.prerelease, right.prerelease);
}

interface SemanticVersion {
  readonly numbers: readonly number[];
  readonly prerelease: readonly string[];
}

function semantic(version: string): SemanticVersion | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/u.exec(version);
  if (match === null) return undefined;
  return { numbers: match.slice(1, 4).map(Number), prerelease: match[4]?.split('.') ?? [] };
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  // A version without one is the release itself.
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (part === other) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/u.test(part), /^\d+$/u.test(other)];
    if (isNumber && isOtherNumber) return Number(part) - Number(other);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return part < other ? -1 : 1;
  }
  return a.length - b.length;
}
