// One file of a server that gives trees: a tree whose root is a file. Pieces are asked for ahead, and again when their
// connection is lost. All pieces have to be of one version of the file, and no more than it said it has. A file that only
// grows, as a log does, is copied up to the size that it had at the start.
// What it does not stop: one that is written anew, longer and with the same first piece, is taken for one that grew.

import {
  lookPastAppend,
  payloadBytes,
  type ResultWithPayload,
  TREE_PAYLOAD_BYTES,
  type TreeEntry,
} from '@codex/exec-protocol';
import { sleep } from '@codex/exec-rpc';
import { ExecServerError } from '../../exec-server-error.js';
import type { LocalFiles, LocalFileWriter } from '../../platform.js';
import { readBlocks } from '../file-reader.js';
import type { FsContext, FsOptions } from '../fs-context.js';
import { changedMeanwhile } from './changed-meanwhile.js';

export interface FileDownload {
  readonly remote: string;
  readonly local: LocalFiles;
  readonly target: string;
  readonly options: FsOptions;
  onBytes(bytes: number): void;
}

interface Piece {
  readonly entry: TreeEntry;
  readonly bytes: Uint8Array;
}

const PIECES_AHEAD = 3;

export async function downloadFile(fs: FsContext, download: FileDownload): Promise<void> {
  const first = await ask(fs, download, 0);
  const writer = await download.local.fileWriter(download.target, first.entry.mode);
  try {
    // Files of /proc and the like say that they have no bytes.
    if (first.entry.size === 0) await writeBlocks(fs, download, writer);
    else await writePieces(fs, { download, writer, first });
    await writer.finish(first.entry);
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

async function writeBlocks(fs: FsContext, download: FileDownload, writer: LocalFileWriter): Promise<void> {
  let offset = 0;
  for await (const block of readBlocks(fs, download.remote, download.options)) {
    await writer.write(block, offset);
    offset += block.length;
    download.onBytes(block.length);
  }
}

async function writePieces(
  fs: FsContext,
  { download, writer, first }: { download: FileDownload; writer: LocalFileWriter; first: Piece },
): Promise<void> {
  const { size = 0 } = first.entry;
  const ahead: Promise<Piece>[] = [];
  let asked = first.bytes.length;
  const askAhead = (): void => {
    for (; ahead.length < PIECES_AHEAD && asked < size; asked += TREE_PAYLOAD_BYTES) {
      const piece = askForMore(fs, download, { first, offset: asked });
      piece.catch(() => undefined); // it is awaited below unless another one fails first
      ahead.push(piece);
    }
  };
  let written = 0;
  let isLonger = false;
  for (let piece: Piece | undefined = first; piece !== undefined; piece = await ahead.shift()) {
    const { entry } = piece;
    if (entry.size !== size) isLonger = true;
    // What was added behind the end that the file had comes with its last piece.
    const bytes = piece.bytes.subarray(0, size - written);
    const isInside = written + piece.bytes.length <= (entry.size ?? 0);
    if (bytes.length === 0 || (entry.offset ?? 0) !== written || !isInside)
      throw violation('the pieces are not those of a file of that size');
    askAhead();
    await writer.write(bytes, written);
    written += bytes.length;
    if (piece !== first) fs.link.releasePayload(piece.bytes);
    download.onBytes(bytes.length);
  }
  if (written !== size) throw violation('the file ends before its size');
  if (isLonger) await mustBeginAlike(fs, download, first);
  fs.link.releasePayload(first.bytes);
}

/** A file that was emptied and written anew is longer too. */
async function mustBeginAlike(fs: FsContext, download: FileDownload, first: Piece): Promise<void> {
  const { bytes } = await askForMore(fs, download, { first, offset: 0 });
  if (first.bytes.some((byte, at) => byte !== bytes[at]))
    throw changedMeanwhile(download.remote, 'on the server');
  fs.link.releasePayload(bytes);
}

/** A piece of the same file. */
async function askForMore(
  fs: FsContext,
  download: FileDownload,
  { first, offset }: { readonly first: Piece; readonly offset: number },
): Promise<Piece> {
  const { clock } = fs.link;
  const { file, size } = first.entry;
  const piece = await lookPastAppend({
    look: () => ask(fs, download, offset),
    mayBeBetween: ({ entry }) =>
      file !== undefined && entry.file === file && entry.size === size && !isOneFile(first.entry, entry),
    pause: (delayMs) => sleep(clock, delayMs, download.options.signal),
  });
  if (!isOneFile(first.entry, piece.entry)) throw changedMeanwhile(download.remote, 'on the server');
  return piece;
}

async function ask(fs: FsContext, { remote, options }: FileDownload, offset: number): Promise<Piece> {
  const params = { path: fs.uri(remote), after: { path: '', offset }, ...fs.sandboxOf(options) };
  const { signal } = options;
  const part = await fs.call('fs/readTree', params, { path: remote, repeatable: true, signal });
  return pieceOf(part, offset, remote);
}

function pieceOf(part: ResultWithPayload<'fs/readTree'>, offset: number, remote: string): Piece {
  const [entry, ...others] = part.entries;
  // It was a file when it was looked at.
  if (entry?.path !== '' || entry.kind !== 'file' || others.length > 0)
    throw changedMeanwhile(remote, 'on the server');
  if (![entry.size, entry.mode ?? 0].every(Number.isSafeInteger)) throw violation('a number is none');
  const bytes = payloadBytes(part.dataBase64);
  if (bytes === undefined) throw violation('the contents are no base64');
  if ((entry.offset ?? 0) !== offset || bytes.length !== (entry.length ?? 0))
    throw violation('the contents are not those that it names');
  return { entry, bytes };
}

/** The same version of it, or one that is longer. Pieces are not read in their order, so each is compared with the first. */
function isOneFile(first: TreeEntry, { file, version, size = 0, modifiedAtMs }: TreeEntry): boolean {
  if (file !== undefined && file === first.file && size > (first.size ?? 0)) return true;
  return version === first.version && size === (first.size ?? 0) && modifiedAtMs === first.modifiedAtMs;
}

function violation(message: string): ExecServerError<'protocol.violation'> {
  return new ExecServerError('protocol.violation', `fs/readTree: ${message}`, { details: { message } });
}
