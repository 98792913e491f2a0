// Chooses the blocks that one `process/read` returns, the cursor to go on from, and the count of what is missing
// before them.
import type { OmittedOutput } from '../output/log/evicted-range.js';
import type { OutputBlock, OutputLog } from '../output/log/output-log.js';

export interface ReadCursor {
  readonly afterSeq: number;
  /** The reader's own budget; null leaves it to the server's. */
  readonly maxBytes: number | null;
  /** The first read after a reconnect: what the reply leaves is pushed right behind it. */
  readonly isRecovery?: boolean;
}

export interface ReadWindow {
  readonly chunks: readonly OutputBlock[];
  /** Where the reader goes on: everything before it is in `chunks`, in `omitted`, or an exit or close. */
  readonly nextSeq: number;
  /** The server's own bounds cut the reply short, so it speaks for the time before `nextSeq` only. */
  readonly isPartial: boolean;
  readonly omitted: OmittedOutput | null;
}

/** Keeps a reply below 8 MiB of text: base64 of each block and the JSON around it. */
export const MAX_REPLY_TEXT_BYTES = 8 * 1024 * 1024 - 4096;
/**
 * A client takes the reply to a recovery and the events behind it in different hands. The Codex CLI keeps at most 1 MiB of
 * events while it has not worked through the reply, and gives the process up beyond that: so the reply is short work.
 */
export const MAX_RECOVERY_TEXT_BYTES = 128 * 1024;
/** Four JSON values per chunk; a reader takes 262,144 of them in one message. */
export const MAX_REPLY_CHUNKS = 50_000;
const CHUNK_JSON_BYTES = 72;

export function readWindow(log: OutputLog, { afterSeq, maxBytes, isRecovery }: ReadCursor): ReadWindow {
  const maxTextBytes = isRecovery === true ? MAX_RECOVERY_TEXT_BYTES : MAX_REPLY_TEXT_BYTES;
  const chunks: OutputBlock[] = [];
  const omitted = log.omittedAfter(afterSeq);
  const end = log.nextSeq;
  let bytes = 0;
  let textBytes = 0;
  for (let seq = Math.max(afterSeq + 1, log.firstSeq); seq < end; seq++) {
    const entry = log.entry(seq);
    if (entry?.kind !== 'output') continue;
    bytes += entry.bytes.length;
    textBytes += Math.ceil(entry.bytes.length / 3) * 4 + CHUNK_JSON_BYTES;
    // The first block is always included, or a reader with a small budget would never get on.
    if (chunks.length > 0) {
      if (maxBytes !== null && bytes > maxBytes)
        return { chunks, nextSeq: afterLast(chunks), isPartial: false, omitted };
      const tooLarge = textBytes > maxTextBytes || chunks.length >= MAX_REPLY_CHUNKS;
      if (tooLarge) return { chunks, nextSeq: afterLast(chunks), isPartial: true, omitted };
    }
    chunks.push(entry);
  }
  const isBudgeted = maxBytes !== null && chunks.length > 0;
  return { chunks, nextSeq: isBudgeted ? afterLast(chunks) : end, isPartial: false, omitted };
}

function afterLast(chunks: readonly OutputBlock[]): number {
  return (chunks.at(-1)?.seq ?? 0) + 1;
}
