// How upstream's decoder words what it found: its clients and their logs know these sentences.

const MAX_QUOTED = 80;

function quote(value: string): string {
  // An error reply must not carry a payload of megabytes back.
  return JSON.stringify(value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value);
}

/** The `X` of "invalid type: X, expected Y". */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `string ${quote(value)}`;
    case 'boolean':
      return `boolean \`${value}\``;
    case 'number':
    case 'bigint':
      return 'number';
    default:
      if (value === null || value === undefined) return 'null';
      return Array.isArray(value) ? 'sequence' : 'map';
  }
}

/** "expected `a`", "expected `a` or `b`", "expected one of `a`, `b`, `c`". */
export function expectedOneOf(variants: readonly string[]): string {
  const ticked = variants.map((variant) => `\`${variant}\``);
  if (ticked.length > 2) return `expected one of ${ticked.join(', ')}`;
  return `expected ${ticked.join(' or ')}`;
}

export function unknownVariant(value: unknown, variants: readonly string[]): string {
  const shown = typeof value === 'string' ? value.slice(0, MAX_QUOTED) : describeValue(value);
  return `unknown variant \`${shown}\`, ${expectedOneOf(variants)}`;
}
