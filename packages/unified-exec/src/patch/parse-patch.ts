// The patch format of Codex: files that are added, deleted or updated, and for updates the lines that change with some
// around them. Sentences about what is wrong are those of Codex, which models have met before.

import { patchFailure } from './patch-failure.js';

export interface PatchLine {
  readonly kind: 'keep' | 'remove' | 'add';
  readonly text: string;
}

export interface PatchChunk {
  /** A line of the file behind which the change is. */
  readonly context: string | undefined;
  readonly lines: readonly PatchLine[];
  /** The change is at the end of the file. */
  readonly isAtEnd: boolean;
}

export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly moveTo: string | undefined;
      readonly chunks: readonly PatchChunk[];
    };

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const ENVIRONMENT = '*** Environment ID:';
const END_OF_FILE = '*** End of File';
const ACTIONS = ['Add', 'Delete', 'Update'] as const;
const HEADERS = "'*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'";
const PREFIXES: Readonly<Record<string, PatchLine['kind']>> = { ' ': 'keep', '-': 'remove', '+': 'add' };

export interface Patch {
  readonly files: readonly FilePatch[];
  /** The machine that it is for, where it says so. */
  readonly environmentId: string | undefined;
}

/** Throws `tool.patch`. */
export function parsePatch(text: string): Patch {
  if (/\p{Surrogate}/u.test(text)) {
    throw patchFailure(
      'invalid patch: it holds a lone surrogate, which no file can',
      'Leave that character out.',
    );
  }
  // Line ends as on Windows are the patch's, not the files'.
  const lines = text.trim().split(/\r?\n/);
  if (lines[0]?.trim() !== BEGIN) throw wrong(`The first line of the patch must be '${BEGIN}'`);
  if (lines.at(-1)?.trim() !== END) throw wrong(`The last line of the patch must be '${END}'`);
  const cursor = new LineCursor(lines.slice(1, -1));
  const environmentId = takeEnvironment(cursor);
  const files: FilePatch[] = [];
  while (cursor.line !== undefined) files.push(takeFile(cursor));
  return { files, environmentId };
}

/** Lines between the first and the last, with their numbers in the whole patch. */
class LineCursor {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get line(): string | undefined {
    return this.#lines[this.#at];
  }

  get number(): number {
    return this.#at + 2;
  }

  next(): void {
    this.#at++;
  }
}

function takeFile(cursor: LineCursor): FilePatch {
  const { number, line = '' } = cursor;
  const action = ACTIONS.find((name) => pathBehind(line, `${name} File`) !== undefined);
  if (action === undefined) {
    throw wrongHunk(number, `'${line.trim()}' is not a valid hunk header. Valid hunk headers: ${HEADERS}`);
  }
  const path = pathBehind(line, `${action} File`) ?? '';
  cursor.next();
  if (action === 'Delete') return { kind: 'delete', path };
  if (action === 'Add') return { kind: 'add', path, content: takeAdded(cursor) };
  const moveTo = pathBehind(cursor.line ?? '', 'Move to');
  if (moveTo !== undefined) cursor.next();
  const chunks = takeChunks(cursor);
  if (chunks.length === 0) throw wrongHunk(number, `Update file hunk for path '${path}' is empty`);
  return { kind: 'update', path, moveTo, chunks };
}

function takeEnvironment(cursor: LineCursor): string | undefined {
  let found: string | undefined;
  for (; cursor.line?.trim().startsWith(ENVIRONMENT) === true; cursor.next()) {
    if (found !== undefined) throw wrong('apply_patch environment_id cannot be specified more than once');
    found = cursor.line.trim().slice(ENVIRONMENT.length).trim();
    if (found === '') throw wrong('apply_patch environment_id cannot be empty');
  }
  return found;
}

/**
 * Undefined where the line is no such header, or names nothing. By hand: an expression that looks for the end of the path takes
 * ages.
 */
function pathBehind(line: string, header: string): string | undefined {
  const words = line.trim();
  const start = `*** ${header}: `;
  return words.startsWith(start) ? words.slice(start.length) : undefined;
}

function takeAdded(cursor: LineCursor): string {
  let content = '';
  for (; cursor.line?.startsWith('+') === true; cursor.next()) content += `${cursor.line.slice(1)}\n`;
  return content;
}

function takeChunks(cursor: LineCursor): PatchChunk[] {
  const chunks: PatchChunk[] = [];
  while (cursor.line !== undefined && !cursor.line.startsWith('***')) {
    const { number, line } = cursor;
    if (chunks.length > 0 && line.trim() === '') {
      cursor.next();
      continue;
    }
    const hasContext = line === '@@' || line.startsWith('@@ ');
    const context = hasContext ? line.slice(3) : '';
    if (hasContext) cursor.next();
    else if (chunks.length > 0) {
      throw wrongHunk(number, `Expected update hunk to start with a @@ context marker, got: '${line}'`);
    }
    const { lines, isAtEnd } = takeLines(cursor);
    if (lines.length === 0) {
      const { line: found = '' } = cursor;
      throw wrongHunk(
        hasContext ? number + 1 : number,
        `Unexpected line found in update hunk: '${found}'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)`,
      );
    }
    chunks.push({ context: context.trim() === '' ? undefined : context, lines, isAtEnd });
  }
  return chunks;
}

function takeLines(cursor: LineCursor): { readonly lines: PatchLine[]; readonly isAtEnd: boolean } {
  const lines: PatchLine[] = [];
  for (; cursor.line !== undefined; cursor.next()) {
    const { line } = cursor;
    if (lines.length > 0 && line.trim() === END_OF_FILE) {
      cursor.next();
      return { lines, isAtEnd: true };
    }
    // A model may leave out the blank of a context line that is empty.
    const kind = line === '' ? 'keep' : PREFIXES[line.charAt(0)];
    if (kind === undefined) break;
    lines.push({ kind, text: line.slice(1) });
  }
  return { lines, isAtEnd: false };
}

function wrong(problem: string) {
  return patchFailure(`invalid patch: ${problem}`, 'Write the patch again in its format.');
}

function wrongHunk(line: number, problem: string) {
  return patchFailure(`invalid hunk at line ${line}, ${problem}`, 'Write the patch again in its format.');
}
