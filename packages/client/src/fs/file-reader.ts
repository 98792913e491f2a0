// Reads a file block by block through a handle, so that its size never meets a limit of one message. Blocks are asked
// for ahead; a handle dies with its connection, and then the read starts again or fails, as the caller wants.

import { MAX_FILE_BLOCK_BYTES, type ResultWithPayload } from '@codex/exec-protocol';
import { ExecServerError } from '../exec-server-error.js';
import { concat } from '../head-tail-buffer.js';
import { decodeChunk } from '../process/events/event-order.js';
import type { FsContext, FsOptions } from './fs-context.js';

export interface ReadRange {
  /** First byte. Default 0. */
  readonly start?: number;
  /** Behind the last byte. Default: the end of the file. */
  readonly end?: number;
}

const BLOCKS_AHEAD = 4;
const WHOLE_FILE_ATTEMPTS = 20;

export async function readWholeFile(fs: FsContext, path: string, options: FsOptions): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    try {
      const blocks: Uint8Array[] = [];
      let total = 0;
      for await (const block of readBlocks(fs, path, options)) {
        blocks.push(block);
        total += block.length;
      }
      return concat(blocks, total);
    } catch (error) {
      // Nothing was given to the caller yet, so a read that lost its connection simply starts again.
      const lost = ExecServerError.is(error, 'transport.lost') && fs.link.ended === undefined;
      if (!lost || attempt === WHOLE_FILE_ATTEMPTS) throw error;
    }
  }
}

export async function* readBlocks(
  fs: FsContext,
  path: string,
  options: FsOptions & ReadRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { start = 0, end = Number.MAX_SAFE_INTEGER, signal } = options;
  if (end <= start) return;
  const handleId = newHandleId();
  const opened = fs.call(
    'fs/open',
    { handleId, path: fs.uri(path), ...fs.sandboxOf(options) },
    { path, signal },
  );
  const block = (offset: number): Promise<ResultWithPayload<'fs/readBlock'>> => {
    const len = Math.min(MAX_FILE_BLOCK_BYTES, end - offset);
    const asked = opened.then(() => fs.call('fs/readBlock', { handleId, offset, len }, { path, signal }));
    // Blocks that were asked for ahead may fail after the reader has left.
    asked.catch(() => undefined);
    return asked;
  };
  const ahead: Promise<ResultWithPayload<'fs/readBlock'>>[] = [];
  try {
    let asked = start;
    const ask = (): void => {
      if (asked >= end) return;
      ahead.push(block(asked));
      asked += MAX_FILE_BLOCK_BYTES;
    };
    // Most files are one block: more is asked for only when the first is full.
    ask();
    for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
      const { chunk, eof } = await next;
      const bytes = decodeChunk(chunk);
      if (!eof) while (ahead.length < BLOCKS_AHEAD && asked < end) ask();
      if (bytes.length > 0) yield bytes;
      if (eof) return;
    }
  } finally {
    // The answer does not matter to the reader; a handle that was never opened closes as well.
    void opened.then(() => fs.link.call('fs/close', { handleId }, { control: true })).catch(() => undefined);
  }
}

export function newHandleId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
