// Reads a file block by block through a handle, so that its size never meets a limit of one message. Blocks are asked
// for ahead; a handle dies with its connection, and then the read starts again or fails, as the caller wants.

import { MAX_FILE_BLOCK_BYTES, type ResultWithPayload } from '@codex/exec-protocol';
import { ExecServerError } from '../exec-server-error.js';
import { decodeChunk } from '../process/events/event-order.js';
import type { FsContext, FsOptions } from './fs-context.js';
import { WholeFile } from './whole-file.js';

export interface ReadRange {
  /** First byte. Default 0. */
  readonly start?: number;
  /** Behind the last byte. Default: the end of the file. */
  readonly end?: number;
}

const BLOCKS_AHEAD = 4;
const WHOLE_FILE_ATTEMPTS = 20;
/** A file may say that it has any number of bytes. */
const MOST_EXPECTED_BYTES = 256 * 1024 * 1024;

export async function readWholeFile(fs: FsContext, path: string, options: FsOptions): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await joinBlocks(fs, path, options);
    } catch (error) {
      // Nothing was given to the caller yet, so a read that lost its connection simply starts again.
      const lost = ExecServerError.is(error, 'transport.lost') && fs.link.ended === undefined;
      if (!lost || attempt === WHOLE_FILE_ATTEMPTS) throw error;
    }
  }
}

async function joinBlocks(fs: FsContext, path: string, options: FsOptions): Promise<Uint8Array> {
  const file = new WholeFile();
  for await (const block of readBlocks(fs, path, options)) {
    // Most files are one block: it is the file.
    if (file.length === 0 && block.length < MAX_FILE_BLOCK_BYTES) return block;
    if (file.length === 0) file.expect(await sizeOf(fs, path, options));
    file.add(block);
    fs.link.releasePayload(block);
  }
  return file.finish();
}

/** A guess: files grow, and some say that they have no bytes. */
async function sizeOf(fs: FsContext, path: string, options: FsOptions): Promise<number> {
  const params = { path: fs.uri(path), ...fs.sandboxOf(options) };
  const { size } = await fs.call('fs/getMetadata', params, { path, signal: options.signal });
  return Math.min(size, MOST_EXPECTED_BYTES);
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
