// A local directory with everything in it, to a server that takes whole trees. A directory comes before what is in it, closed to
// others but open to its owner; files follow while others are still found, then links; at last directories get their own modes and times, which a read-only
// directory and one that was changed last by this transfer need.

import type { TreeEntry } from '@codex/exec-protocol';
import type { LocalEntry, LocalFiles } from '../../platform.js';
import type { FsContext, FsOptions } from '../fs-context.js';
import type { FoundEntries } from './found-entries.js';
import { TreeSender } from './tree-sender.js';

export interface TreeUpload {
  readonly local: LocalFiles;
  readonly root: string;
  readonly remote: string;
  readonly found: FoundEntries;
  readonly options: FsOptions;
  onBytes(bytes: number): void;
  onFile(path: string): void;
}

/** Small files are read ahead: each is one wait for the disk. */
const FILES_READ_AT_ONCE = 32;
const BLOCK_BYTES = 1024 * 1024;
const OWNER = 0o700;

export async function uploadTree(fs: FsContext, upload: TreeUpload): Promise<void> {
  const { found, remote, options } = upload;
  const sender = new TreeSender(fs, {
    remote,
    options,
    onSent: ({ path, bytes, isNew }) => {
      if (isNew) upload.onFile(path);
      upload.onBytes(bytes);
    },
  });
  const directories: LocalEntry[] = [];
  const links: LocalEntry[] = [];
  for (let entries = await found.take(); entries !== undefined; entries = await found.take()) {
    const files: LocalEntry[] = [];
    for (const entry of entries) {
      if (entry.kind === 'file') files.push(entry);
      else if (entry.kind === 'link') links.push(entry);
      else {
        directories.push(entry);
        await sender.add({ ...wireEntry(entry), ...ownerOnly(entry) });
      }
    }
    await sendFiles(upload, sender, files);
  }
  for (const entry of links) await sender.add(wireEntry(entry));
  for (const entry of directories.toReversed()) await sender.add({ ...wireEntry(entry), ...timeOf(entry) });
  await sender.finish();
}

async function sendFiles(
  { local, root }: TreeUpload,
  sender: TreeSender,
  files: readonly LocalEntry[],
): Promise<void> {
  for (let start = 0; start < files.length; start += FILES_READ_AT_ONCE) {
    const run = files.slice(start, start + FILES_READ_AT_ONCE);
    const small = await Promise.all(
      run.map(async (file) => (file.size <= BLOCK_BYTES ? local.readWhole(root, file) : undefined)),
    );
    for (const [index, entry] of run.entries()) {
      const bytes = small[index];
      const room =
        bytes !== undefined && bytes.length <= BLOCK_BYTES
          ? sendPiece(sender, entry, { bytes })
          : sendPieces(sender, entry, local.read(root, entry.path));
      if (room !== undefined) await room;
    }
  }
}

async function sendPieces(
  sender: TreeSender,
  entry: LocalEntry,
  blocks: AsyncIterable<Uint8Array>,
): Promise<void> {
  let offset = 0;
  for await (const bytes of blocks) {
    await sendPiece(sender, entry, { bytes, offset });
    offset += bytes.length;
  }
}

function sendPiece(
  sender: TreeSender,
  entry: LocalEntry,
  { bytes, offset = 0 }: { readonly bytes: Uint8Array; readonly offset?: number },
): Promise<void> | undefined {
  const { path, mode, modifiedAtMs } = entry;
  const { length } = bytes;
  // What nearly all are, without a copy of each member.
  if (offset === 0 && mode !== undefined && modifiedAtMs !== undefined)
    return sender.add({ path, kind: 'file', mode, modifiedAtMs, length }, bytes);
  const place = offset === 0 ? {} : { offset };
  return sender.add({ ...wireEntry(entry), ...timeOf(entry), ...place, length }, bytes);
}

function wireEntry({ path, kind, mode, target }: LocalEntry): TreeEntry {
  return {
    path,
    kind,
    ...(mode === undefined || kind === 'link' ? {} : { mode }),
    ...(target === undefined ? {} : { target }),
  };
}

function ownerOnly({ mode }: LocalEntry): Pick<TreeEntry, 'mode'> {
  return mode === undefined ? {} : { mode: mode | OWNER };
}

function timeOf({ modifiedAtMs }: LocalEntry): Pick<TreeEntry, 'modifiedAtMs'> {
  return modifiedAtMs === undefined ? {} : { modifiedAtMs };
}
