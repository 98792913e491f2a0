// One argument of a tool call: what it may be, and the sentence for everything else. The wording is that of Codex, which
// models have met before. Two things are more lenient than there: null is taken as absent, and 5.0 is the integer 5.

export type FieldVerdict<T> = { readonly value: T } | { readonly problem: string };
export type FieldRule<T> = (value: unknown) => FieldVerdict<T>;

export const text: FieldRule<string> = (value) => {
  if (typeof value !== 'string') return wrongType(value, 'a string');
  // It has no bytes: what would be run, typed or written is not what was asked for.
  if (/\p{Surrogate}/u.test(value)) return { problem: 'lone surrogate in a string' };
  return { value };
};

export const flag: FieldRule<boolean> = (value) =>
  typeof value === 'boolean' ? { value } : wrongType(value, 'a boolean');

export const count: FieldRule<number> = integer('u64', 0, 2 ** 64);
export const sessionNumber: FieldRule<number> = integer('i32', -(2 ** 31), 2 ** 31 - 1);

export const texts: FieldRule<string[]> = (value) => {
  if (!Array.isArray(value)) return wrongType(value, 'a sequence');
  const other: unknown = value.find((entry) => typeof entry !== 'string');
  return other === undefined ? { value: value as string[] } : wrongType(other, 'a string');
};

export function oneOf<const T extends string>(...names: T[]): FieldRule<T> {
  return (value) => {
    if (typeof value !== 'string') return wrongType(value, 'a string');
    const known = names.find((name) => name === value);
    if (known !== undefined) return { value: known };
    const list = names.map((name) => `\`${name}\``).join(', ');
    return { problem: `unknown variant \`${shortened(value)}\`, expected one of ${list}` };
  };
}

function integer(type: string, least: number, most: number): FieldRule<number> {
  return (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return wrongType(value, type);
    if (value >= least && value <= most) return { value };
    return { problem: `invalid value: integer \`${value}\`, expected ${type}` };
  };
}

function wrongType(value: unknown, expected: string): { problem: string } {
  return { problem: `invalid type: ${kindOf(value)}, expected ${expected}` };
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'sequence';
  if (typeof value === 'string') return `string ${JSON.stringify(shortened(value))}`;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value !== 'number') return 'map';
  return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``;
}

/** A model that sends megabytes does not get them back. */
function shortened(value: string): string {
  return value.length > 100 ? `${value.slice(0, 100)}…` : value;
}
