// Finds the line of a top-level key in a TOML document. The parser does not tell it for a key that it accepts.

export function lineOfKey(
  text: string,
  key: string,
  parse: (text: string) => Record<string, unknown>,
): number | undefined {
  const escaped = key.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const begins = new RegExp(`^\\s*(?:\\[\\[?\\s*)?["']?${escaped}["']?\\s*[.=\\]]`);
  const lines = text.split('\n');
  const index = lines.findIndex(
    (line, at) => begins.test(line) && isBetweenStatements(lines.slice(0, at).join('\n'), parse),
  );
  return index < 0 ? undefined : index + 1;
}

/** False inside a string or an array of several lines, where a line only looks like a key. */
function isBetweenStatements(before: string, parse: (text: string) => unknown): boolean {
  try {
    parse(before);
    return true;
  } catch {
    return false;
  }
}
