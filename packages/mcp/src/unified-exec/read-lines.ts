// Some lines of a file, without reading more of it than that.

import { ExecServerError } from '@codex/exec-client';

const LF = 0x0a;
/** The most that one answer holds. */
const MAX_BYTES = 256 * 1024;

export interface LineRange {
  /** From 1. */
  readonly first: number;
  readonly limit: number;
}

export interface ReadLines {
  readonly content: string;
  readonly lines: number;
  /** The file goes on. */
  readonly truncated: boolean;
}

/** Line ends stay as they are. A line that does not fit any more is cut. Throws when the file is no text. */
export async function readLines(
  blocks: AsyncIterable<Uint8Array>,
  { first, limit }: LineRange,
): Promise<ReadLines> {
  const kept: Uint8Array[] = [];
  let line = 1;
  let bytes = 0;
  let truncated = false;
  for await (const block of blocks) {
    let at = 0;
    while (at < block.length && line < first) {
      const end = block.indexOf(LF, at);
      at = end === -1 ? block.length : end + 1;
      if (end !== -1) line++;
    }
    let end = at;
    while (end < block.length && line < first + limit) {
      const lf = block.indexOf(LF, end);
      end = lf === -1 ? block.length : lf + 1;
      if (lf !== -1) line++;
    }
    const room = MAX_BYTES - bytes;
    truncated = end < block.length || end - at > room;
    const piece = block.subarray(at, Math.min(end, at + room));
    kept.push(piece);
    bytes += piece.length;
    if (truncated) break;
  }
  const content = textOf(Buffer.concat(kept), truncated);
  return { content, lines: countLines(content), truncated };
}

function textOf(bytes: Buffer, wasCut: boolean): string {
  try {
    // A character that the cut went through is left out.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: wasCut });
  } catch (cause) {
    throw new ExecServerError('output.invalid', 'this file is not UTF-8 text', {
      hint: 'look at it with exec_command, for example with `file` or `xxd`',
      details: { format: 'text', text: '' },
      cause,
    });
  }
}

function countLines(text: string): number {
  const ends = text.split('\n').length - 1;
  return text === '' || text.endsWith('\n') ? ends : ends + 1;
}
