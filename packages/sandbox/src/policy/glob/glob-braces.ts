// `{a,b}` in a deny glob: one pattern for each choice.

/** Undefined when it stands for more than `limit` patterns. An unclosed brace is literal. */
export function expandBraces(pattern: string, limit: number): readonly string[] | undefined {
  const open = findOpen(pattern);
  if (open === undefined) return [pattern];
  const { start, end, commas } = open;
  const edges = [start, ...commas, end];
  const rest = expandBraces(pattern.slice(end + 1), limit);
  if (rest === undefined) return undefined;
  const made: string[] = [];
  for (let index = 1; index < edges.length; index += 1) {
    const choices = expandBraces(pattern.slice((edges[index - 1] ?? 0) + 1, edges[index]), limit);
    if (choices === undefined || made.length + choices.length * rest.length > limit) return undefined;
    for (const choice of choices)
      for (const ending of rest) made.push(pattern.slice(0, start) + choice + ending);
  }
  return made;
}

/** The first brace that is closed, with the commas that belong to it. */
function findOpen(pattern: string): { start: number; end: number; commas: number[] } | undefined {
  const opened: { start: number; commas: number[] }[] = [];
  let first: { start: number; end: number; commas: number[] } | undefined;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === '\\') at += 1;
    else if (char === '[') {
      const close = pattern.indexOf(']', at + 2);
      if (close !== -1) at = close;
    } else if (char === '{') opened.push({ start: at, commas: [] });
    else if (char === ',') opened.at(-1)?.commas.push(at);
    else if (char === '}') {
      const closed = opened.pop();
      if (closed !== undefined && (first === undefined || closed.start < first.start))
        first = { ...closed, end: at };
      if (opened.length === 0 && first !== undefined) return first;
    }
  }
  return first;
}
