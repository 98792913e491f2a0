// A directory of the server with everything in it, from a server that gives whole trees. What the server says is checked: nothing
// is written outside of the target.

import {
  payloadBytes,
  type ResultWithPayload,
  staysInside,
  type TreeCursor,
  type TreeEntry,
  treeNames,
} from '@codex/exec-protocol';
import { ExecServerError } from '../../exec-server-error.js';
import type { LocalTreeWriter, SkippedEntry } from '../../platform.js';
import type { FsContext } from '../fs-context.js';
import { PartsAhead, type TreePlace } from './parts-ahead.js';
import type { TransferOptions } from './transfer-options.js';

export interface TreeDownload {
  readonly remote: string;
  readonly options: TransferOptions;
  readonly writer: LocalTreeWriter;
  onBytes(bytes: number): void;
  onFile(path: string): void;
  onSkip(skipped: SkippedEntry): void;
}

export async function downloadTree(fs: FsContext, download: TreeDownload): Promise<void> {
  const parts = new PartsAhead(async (place) => {
    const part = await ask(fs, download, place);
    if (place.after !== null) mustAdvance(part, place.after);
    return part;
  });
  for (let part = await parts.take(); part !== undefined; part = await parts.take())
    await store(download, part);
  await download.writer.finish();
}

type Part = ResultWithPayload<'fs/readTree'>;

function ask(fs: FsContext, { remote, options }: TreeDownload, place: TreePlace): Promise<Part> {
  const { exclude, signal } = options;
  const params = {
    path: fs.uri(remote),
    ...place,
    ...(exclude === undefined ? {} : { exclude: [...exclude] }),
    ...fs.sandboxOf(options),
  };
  return fs.call('fs/readTree', params, { path: remote, repeatable: true, signal });
}

async function store(download: TreeDownload, part: Part): Promise<void> {
  const bytes = payloadBytes(part.dataBase64);
  if (bytes === undefined) throw violation('the contents are no base64');
  for (const skipped of part.skipped) download.onSkip(skipped);
  let taken = 0;
  const items = part.entries.map((entry) => {
    checkEntry(entry);
    const length = entry.kind === 'file' ? (entry.length ?? 0) : 0;
    taken += length;
    return { entry, bytes: bytes.subarray(taken - length, taken) };
  });
  if (taken !== bytes.length) throw violation(`${taken} bytes announced, ${bytes.length} sent`);
  await download.writer.write(items);
  for (const { entry } of items) {
    if (entry.kind !== 'file') continue;
    const { offset = 0, length = 0, path } = entry;
    if (offset === 0) download.onFile(path);
    download.onBytes(length);
  }
}

function checkEntry({ path, kind, target }: TreeEntry): void {
  const names = treeNames(path);
  if (names === undefined || (names.length === 0 && kind !== 'directory'))
    throw violation(`the server names an entry that is none: ${JSON.stringify(path)}`);
  if (kind === 'link' && !staysInside(path, target ?? ''))
    throw violation(`the server sends a link that leads out: ${JSON.stringify(path)}`);
}

/** A server that answers the same places for ever would never end. Behind a file its offset is 0 again. */
function mustAdvance({ next }: Part, asked: TreeCursor): void {
  if (next === null) return;
  const order = comparePaths(next.path, asked.path);
  const isWithin = asked.offset > 0 && (next.offset === 0 || next.offset > asked.offset);
  if (order < 0 || (order === 0 && !isWithin)) throw violation('the server does not go on');
}

/** In the order of a tree: by the bytes of the names, a directory before what is in it. */
function comparePaths(left: string, right: string): number {
  const others = right.split('/');
  for (const [index, name] of left.split('/').entries()) {
    const other = others[index];
    if (other === undefined) return 1;
    if (name !== other) return compareByCodePoint(name, other);
  }
  return left === right ? 0 : -1;
}

/** The order of the bytes in UTF-8, which is not that of UTF-16. */
function compareByCodePoint(left: string, right: string): number {
  const others = [...right];
  for (const [index, character] of [...left].entries()) {
    const other = others[index];
    if (other === undefined) return 1;
    if (character !== other) return (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  }
  return -1;
}

function violation(message: string): ExecServerError<'protocol.violation'> {
  return new ExecServerError('protocol.violation', `fs/readTree: ${message}`, { details: { message } });
}
