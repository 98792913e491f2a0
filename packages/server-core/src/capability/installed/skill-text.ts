// Reads the YAML of skills, and normalises their texts: one line, trimmed.
import { type Document, isScalar, parseDocument, visit } from 'yaml';

/** Parsing YAML blocks the event loop for all clients: what is longer than any description is not parsed. */
const MAX_YAML_LENGTH = 8 * 1024;

/** Undefined for what is too long, no YAML, or names a key twice. */
export function readYaml(text: string, schema: 'core' | 'failsafe'): Document | undefined {
  if (text.length > MAX_YAML_LENGTH) return undefined;
  // The library's own look for keys that stand twice, and its way to tell where an error is, take time by the square.
  const document = parseDocument(text, { schema, uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
  return document.errors.length > 0 || namesKeyTwice(document) ? undefined : document;
}

function namesKeyTwice(document: Document): boolean {
  let isRepeated = false;
  visit(document, {
    Map(_, { items }) {
      const keys = items.flatMap(({ key }) => (isScalar(key) ? [key.value] : []));
      if (new Set(keys).size < keys.length) isRepeated = true;
      return isRepeated ? visit.BREAK : undefined;
    },
  });
  return isRepeated;
}

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
