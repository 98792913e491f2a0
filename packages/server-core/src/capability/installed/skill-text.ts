// Texts of skills as they are shown: on one line, without blanks at the ends.

/** Reading YAML holds up everybody else: what is longer than any description is not read. */
export const MAX_YAML_LENGTH = 64 * 1024;

function oneLine(text: string): string {
  return text.trim().split(/\s+/u).join(' ');
}

/** Undefined for what is no text or an empty one. */
export function shownText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? oneLine(value) : '';
  return text === '' ? undefined : text;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
