// The text of a file after its chunks. Lines that a patch only mentions stay as the file has them; added ones get the line ends
// of the file. The result ends with a line end.

import { findLines } from './find-lines.js';
import type { PatchChunk } from './parse-patch.js';
import { patchFailure } from './patch-failure.js';

const LOOK = 'Read the file again and write the patch with its lines as they are.';

/** `path` is for sentences. Throws `tool.patch` where the file does not have the lines. */
export function patchedText(original: string, chunks: readonly PatchChunk[], path: string): string {
  const lineEnd = /\r?\n/.exec(original)?.[0] ?? '\n';
  const lines = original.split('\n').map((line) => (lineEnd === '\n' ? line : line.replace(/\r$/, '')));
  if (lines.at(-1) === '') lines.pop();
  const result: string[] = [];
  const appended: string[] = [];
  let from = 0;
  for (const chunk of chunks) {
    // What is only added goes to the end.
    if (chunk.lines.every(({ kind }) => kind === 'add')) {
      appended.push(...chunk.lines.map(({ text }) => text));
      continue;
    }
    const at = place(lines, chunk, { from, path });
    result.push(...lines.slice(from, at.index));
    let index = at.index;
    for (const { kind, text } of at.lines) {
      if (kind === 'add') result.push(text);
      else {
        const kept = lines[index++];
        if (kind === 'keep' && kept !== undefined) result.push(kept);
      }
    }
    from = index;
  }
  result.push(...lines.slice(from), ...appended);
  return result.map((line) => line + lineEnd).join('');
}

interface Placed {
  readonly index: number;
  readonly lines: PatchChunk['lines'];
}

function place(
  lines: readonly string[],
  { context, lines: changes, isAtEnd }: PatchChunk,
  { from, path }: { readonly from: number; readonly path: string },
): Placed {
  let start = from;
  if (context !== undefined) {
    const found = findLines(lines, [context], { from, isAtEnd: false });
    if (found === undefined) throw patchFailure(`Failed to find context '${context}' in ${path}`, LOOK);
    start = found + 1;
  }
  const old = changes.filter(({ kind }) => kind !== 'add').map(({ text }) => text);
  const index = findLines(lines, old, { from: start, isAtEnd });
  if (index !== undefined) return { index, lines: changes };
  // An empty last line may stand for the end of the file.
  const isPadded = old.length > 1 && old.at(-1) === '';
  const again = isPadded ? findLines(lines, old.slice(0, -1), { from: start, isAtEnd }) : undefined;
  if (again === undefined) {
    throw patchFailure(`Failed to find expected lines in ${path}:\n${old.join('\n')}`, LOOK);
  }
  const last = changes.findLastIndex(({ kind }) => kind !== 'add');
  return { index: again, lines: changes.toSpliced(last, 1) };
}
