// Bytes cross the wire as strict base64: padded, standard alphabet, no spare bits. Decoders are lenient, so this is
// checked on arrival.
const BYTES = new Set(['chunk', 'dataBase64', 'stdout', 'stderr', 'terminal']);

export function base64Faults(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(base64Faults);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (!BYTES.has(name) || typeof member !== 'string') return base64Faults(member);
    return isStrictBase64(member) ? [] : [`\`${name}\` is not strict base64`];
  });
}

function isStrictBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text;
}
