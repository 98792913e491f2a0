// Writes a file: in one message where it fits, block by block through a handle where it does not.

import { MAX_FILE_BLOCK_BYTES } from '@codex/exec-protocol';
import { ExecServerError } from '../exec-server-error.js';
import { concat } from '../head-tail-buffer.js';
import { checkContents, checkPiece } from '../options/argument-rules.js';
import type { Input } from '../spawn-options.js';
import { newHandleId } from './file-reader.js';
import type { FsContext, FsOptions } from './fs-context.js';

export interface WriteOptions extends FsOptions {
  /** Create missing directories above the file. */
  readonly parents?: boolean;
  /** Readers see the old or the new contents, never a part. Needs `fs.writeOptions` or, for large files, `fs.rename`. */
  readonly atomic?: boolean;
  /** Needs `fs.writeOptions`. */
  readonly append?: boolean;
  /** Fail with `fs.exists` when the file exists. Needs `fs.writeOptions`. */
  readonly exclusive?: boolean;
}

const BLOCKS_IN_FLIGHT = 4;

export async function writeFile(
  fs: FsContext,
  path: string,
  job: { readonly data: Input; readonly options: WriteOptions; onBytes(bytes: number): void },
): Promise<void> {
  const { data, options, onBytes } = job;
  const { append = false, exclusive = false, atomic = false } = options;
  checkContents(data, 'fs.write');
  if (append || exclusive)
    fs.capabilities.require('fs.writeOptions', append ? 'Appending' : 'Exclusive creation');
  const blocks = blocksOf(data);
  const first = await nextBlock(blocks);
  const second = first.length < MAX_FILE_BLOCK_BYTES ? undefined : await blocks.next();
  if (options.parents === true) await makeParents(fs, path, options);
  if (second === undefined || second.done === true) {
    if (atomic) fs.capabilities.require('fs.writeOptions', 'Atomic writing');
    await writeWhole(fs, path, { bytes: first, options });
    onBytes(first.length);
    return;
  }
  if (append || exclusive) throw tooLarge(path, append ? 'append' : 'exclusive');
  if (atomic) fs.capabilities.require('fs.rename', 'Atomic writing of a large file');
  fs.capabilities.require('fs.writeStream', 'Writing a file above 1 MiB');
  await writeStreamed(fs, path, { blocks: startingWith([first, second.value], blocks), options, onBytes });
}

async function writeWhole(
  fs: FsContext,
  path: string,
  { bytes, options }: { bytes: Uint8Array; options: WriteOptions },
): Promise<void> {
  const { append, exclusive, atomic, signal } = options;
  await fs.call(
    'fs/writeFile',
    {
      path: fs.uri(path),
      dataBase64: bytes,
      ...(append === true ? { append } : {}),
      ...(exclusive === true ? { exclusive } : {}),
      ...(atomic === true ? { atomic } : {}),
      ...fs.sandboxOf(options),
    },
    { path, signal, repeatable: append !== true && exclusive !== true },
  );
}

async function writeStreamed(
  fs: FsContext,
  path: string,
  job: { blocks: AsyncIterable<Uint8Array>; options: WriteOptions; onBytes(bytes: number): void },
): Promise<void> {
  const { options } = job;
  const target = options.atomic === true ? `${fs.absolute(path)}.${newHandleId()}.part` : path;
  try {
    await writeThroughHandle(fs, target, job);
    if (target === path) return;
    const move = { sourcePath: fs.uri(target), destinationPath: fs.uri(path), ...fs.sandboxOf(options) };
    await fs.call('fs/rename', move, { path });
  } catch (error) {
    if (target !== path) {
      const remove = { path: fs.uri(target), force: true, ...fs.sandboxOf(options) };
      await fs.link.call('fs/remove', remove, { repeatable: true }).catch(() => undefined);
    }
    throw error;
  }
}

async function writeThroughHandle(
  fs: FsContext,
  path: string,
  job: { blocks: AsyncIterable<Uint8Array>; options: WriteOptions; onBytes(bytes: number): void },
): Promise<void> {
  const { signal } = job.options;
  const handleId = newHandleId();
  const open = { handleId, path: fs.uri(path), mode: 'replace', ...fs.sandboxOf(job.options) } as const;
  await fs.call('fs/open', open, { path, signal });
  const inFlight: Promise<void>[] = [];
  let offset = 0;
  try {
    for await (const bytes of job.blocks) {
      const params = { handleId, offset, chunk: bytes };
      offset += bytes.length;
      const written = fs
        .call('fs/writeBlock', params, { path, signal })
        .then(() => job.onBytes(bytes.length));
      written.catch(() => undefined);
      inFlight.push(written);
      if (inFlight.length >= BLOCKS_IN_FLIGHT) await inFlight.shift();
    }
    await Promise.all(inFlight);
    await fs.call('fs/close', { handleId }, { path, signal });
  } catch (error) {
    await fs.link.call('fs/close', { handleId }, { control: true }).catch(() => undefined);
    throw error;
  }
}

export async function makeParents(fs: FsContext, path: string, options: FsOptions): Promise<void> {
  const absolute = fs.absolute(path);
  const parent = absolute.slice(0, Math.max(1, absolute.lastIndexOf('/')));
  const params = { path: fs.uri(parent), recursive: true, ...fs.sandboxOf(options) };
  await fs.call('fs/createDirectory', params, { path: parent, repeatable: true });
}

/** Blocks of exactly the largest size, except the last. */
async function* blocksOf(data: Input): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const piece of typeof data === 'string' || data instanceof Uint8Array ? [data] : data) {
    checkPiece(piece, 'fs.write');
    let bytes = typeof piece === 'string' ? encoder.encode(piece) : piece;
    while (size + bytes.length >= MAX_FILE_BLOCK_BYTES) {
      const room = MAX_FILE_BLOCK_BYTES - size;
      yield concat([...pending, bytes.subarray(0, room)], MAX_FILE_BLOCK_BYTES);
      bytes = bytes.subarray(room);
      pending = [];
      size = 0;
    }
    if (bytes.length > 0) pending.push(bytes);
    size += bytes.length;
  }
  if (size > 0) yield concat(pending, size);
}

async function nextBlock(blocks: AsyncGenerator<Uint8Array, void, undefined>): Promise<Uint8Array> {
  const { value, done } = await blocks.next();
  return done === true ? new Uint8Array(0) : value;
}

async function* startingWith(
  first: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* first;
  yield* rest;
}

function tooLarge(path: string, what: string): ExecServerError<'fs.io'> {
  return new ExecServerError(
    'fs.io',
    `${path}: ${what} takes at most ${MAX_FILE_BLOCK_BYTES} bytes at a time`,
    {
      details: { path },
    },
  );
}
