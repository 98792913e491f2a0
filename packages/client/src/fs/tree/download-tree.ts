// A directory of the server with everything in it, from a server that gives whole trees. The next part is asked for
// while the last one is written. What the server says is checked: nothing is written outside of the target.

import {
  FIRST_TREE_BYTES,
  payloadBytes,
  type ResultWithPayload,
  staysInside,
  TREE_PAYLOAD_BYTES,
  type TreeCursor,
  type TreeEntry,
  treeNames,
} from '@codex/exec-protocol';
import { ExecServerError } from '../../exec-server-error.js';
import type { LocalTreeWriter, SkippedEntry } from '../../platform.js';
import type { FsContext } from '../fs-context.js';
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
  let enoughBytes = FIRST_TREE_BYTES;
  let part: Part | undefined = await ask(fs, download, { after: null, enoughBytes });
  while (part !== undefined) {
    const next: TreeCursor | null = part.next;
    enoughBytes = Math.min(2 * enoughBytes, TREE_PAYLOAD_BYTES);
    const following: Promise<Part> | undefined =
      next === null ? undefined : ask(fs, download, { after: next, enoughBytes });
    following?.catch(() => undefined); // it is awaited below unless writing fails first
    await store(download, part);
    part = await following;
    if (part !== undefined && next !== null) mustAdvance(part, next);
  }
  await download.writer.finish();
}

type Part = ResultWithPayload<'fs/readTree'>;

function ask(
  fs: FsContext,
  { remote, options }: TreeDownload,
  place: { readonly after: TreeCursor | null; readonly enoughBytes: number },
): Promise<Part> {
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
