// How upstream's decoder words what it found: its clients and their logs know these sentences.

const MAX_QUOTED = 80;

function quote(value: string): string {
  // An error reply must not carry a payload of megabytes back.
  return JSON.stringify(value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value);
}

/** The `X` of "invalid type: X, expected Y". */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return `string ${quote(value)}`;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  return Array.isArray(value) ? 'sequence' : 'map';
}

/** "expected `a`", "expected `a` or `b`", "expected one of `a`, `b`, `c`". */
function expectedOneOf(variants: readonly string[]): string {
  const ticked = variants.map((variant) => `\`${variant}\``);
  if (ticked.length > 2) return `expected one of ${ticked.join(', ')}`;
  return `expected ${ticked.join(' or ')}`;
}

export function unknownVariant(value: unknown, variants: readonly string[]): string {
  const shown = typeof value === 'string' ? value.slice(0, MAX_QUOTED) : describeValue(value);
  return `unknown variant \`${shown}\`, ${expectedOneOf(variants)}`;
}
