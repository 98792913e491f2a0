// Normalises the texts of skills: one line, trimmed.

/** Parsing YAML blocks the event loop for all clients: what is longer than any description is not parsed. */
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
