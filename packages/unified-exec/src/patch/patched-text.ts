// The text of a file after its chunks. Lines that a patch only mentions stay as the file has them; added ones get the line ends
// of the file. The result ends with a line end.

import { LineFinder, SearchBudget } from './find-lines.js';
import type { PatchChunk } from './parse-patch.js';
import { patchFailure } from './patch-failure.js';

const LOOK = 'Read the file again and write the patch with its lines as they are.';

/** `path` is for sentences. Throws `tool.patch` where the file does not have the lines. */
export function patchedText(
  original: string,
  chunks: readonly PatchChunk[],
  { path, budget = new SearchBudget() }: { readonly path: string; readonly budget?: SearchBudget },
): string {
  const lineEnd = /\r?\n/.exec(original)?.[0] ?? '\n';
  const lines = original.split('\n').map((line) => (lineEnd === '\n' ? line : line.replace(/\r$/, '')));
  if (lines.at(-1) === '') lines.pop();
  const finder = new LineFinder(lines, budget);
  const result: string[] = [];
  const appended: string[] = [];
  let from = 0;
  const keepUntil = (end: number): void => {
    for (; from < end; from++) result.push(lines[from] ?? '');
  };
  for (const chunk of chunks) {
    // What is only added goes to the end.
    if (chunk.lines.every(({ kind }) => kind === 'add')) {
      for (const { text } of chunk.lines) appended.push(text);
      continue;
    }
    const at = place(finder, chunk, { from, path, budget });
    keepUntil(at.index);
    for (const { kind, text } of at.lines) {
      if (kind === 'add') result.push(text);
      else if (kind === 'keep') keepUntil(from + 1);
      else from++;
    }
  }
  keepUntil(lines.length);
  return [...result, ...appended].map((line) => line + lineEnd).join('');
}

interface Placed {
  readonly index: number;
  readonly lines: PatchChunk['lines'];
}

function place(
  finder: LineFinder,
  { context, lines: changes, isAtEnd }: PatchChunk,
  { from, path, budget }: { readonly from: number; readonly path: string; readonly budget: SearchBudget },
): Placed {
  let start = from;
  if (context !== undefined) {
    const found = finder.find([context], { from, isAtEnd: false });
    if (found === undefined) throw notFound(`context '${context}' in ${path}`, budget);
    start = found + 1;
  }
  const old = changes.filter(({ kind }) => kind !== 'add').map(({ text }) => text);
  const index = finder.find(old, { from: start, isAtEnd });
  if (index !== undefined) return { index, lines: changes };
  // An empty last line may stand for the end of the file.
  const isPadded = old.at(-1) === '';
  const again = isPadded ? finder.find(old.slice(0, -1), { from: start, isAtEnd }) : undefined;
  if (again === undefined) throw notFound(`expected lines in ${path}:\n${old.join('\n')}`, budget);
  const last = changes.findLastIndex(({ kind }) => kind !== 'add');
  return { index: again, lines: changes.toSpliced(last, 1) };
}

function notFound(what: string, { isSpent }: SearchBudget) {
  return patchFailure(
    `Failed to find ${what}`,
    isSpent
      ? 'The search took too long: write fewer changes at once, or name lines that are there once.'
      : LOOK,
  );
}
