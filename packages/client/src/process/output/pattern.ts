// Patterns that callers wait for: a string is looked for as it is, a regular expression by its own rules.

export function matchPattern(text: string, pattern: string | RegExp): RegExpMatchArray | undefined {
  if (typeof pattern === 'string') {
    const index = text.indexOf(pattern);
    return index === -1
      ? undefined
      : Object.assign<[string], { index: number; input: string }>([pattern], { index, input: text });
  }
  // A global or sticky expression would remember where it stopped, between texts that have nothing in common.
  const flags = pattern.flags.replace(/[gy]/g, '');
  return (flags === pattern.flags ? pattern : new RegExp(pattern.source, flags)).exec(text) ?? undefined;
}
