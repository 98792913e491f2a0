// From here to the server. A new target appears whole or not at all where the server can rename; a tree that is merged
// into an existing one (--force) is replaced file by file.

import { createReadStream } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ExecServerError, type FileStat } from '@codex/exec-client';
import { localFiles } from '@codex/exec-client/node';
import { alreadyThere, CopyError, localFailure, needsRecursive } from './copy-error.js';
import { type CopyJob, follow, partialName } from './copy-job.js';

const BLOCK_BYTES = 1024 * 1024;

export async function upload(job: CopyJob): Promise<string> {
  const entries = await localEntries(job.local);
  const root = entries[0];
  if (root === undefined) throw new CopyError(`${job.local} is neither a file nor a directory`);
  if (root.kind === 'directory' && !job.recursive) throw needsRecursive(job.local);
  const target = await remoteTarget(job);
  if (target.existing !== undefined) {
    if (!job.force) throw alreadyThere(target.path);
    if (target.existing.kind !== root.kind)
      throw new CopyError(`${target.path} is a ${target.existing.kind}, ${job.local} a ${root.kind}`);
  }
  job.progress.total(entries.reduce((sum, { size }) => sum + size, 0));
  await put(job, target, (place) => writeAll(job, entries, place));
  return target.path;
}

type Entries = Awaited<ReturnType<typeof localFiles.entries>>;

export interface RemoteTarget {
  readonly path: string;
  readonly existing: FileStat | undefined;
}

type Write = (place: { readonly root: string; readonly atomic: boolean }) => Promise<void>;

/** Lets `write` write where the copy belongs: beside a new target first, over an existing one. */
export async function put({ client }: CopyJob, target: RemoteTarget, write: Write): Promise<void> {
  const canRename = client.supports('fs.rename');
  if (target.existing !== undefined) {
    await write({ root: target.path, atomic: canRename && client.supports('fs.writeOptions') });
    return;
  }
  const root = canRename ? partialName(target.path) : target.path;
  try {
    await write({ root, atomic: false });
    if (canRename) await client.fs.move(root, target.path, { overwrite: false });
  } catch (error) {
    await client.fs.remove(root, { recursive: true, force: true }).catch(() => undefined);
    if (ExecServerError.is(error, 'fs.exists')) throw alreadyThere(target.path);
    throw canRename ? namingTarget(error, root, target.path) : error;
  }
}

/** The name that a copy has until it is whole means nothing to a person. */
function namingTarget(error: unknown, partial: string, target: string): unknown {
  if (!(error instanceof ExecServerError) || !error.message.includes(partial)) return error;
  return new CopyError(error.message.replaceAll(partial, target), error);
}

async function writeAll(
  job: CopyJob,
  entries: Entries,
  { root, atomic }: { readonly root: string; readonly atomic: boolean },
): Promise<void> {
  const { client, progress, signal } = job;
  // One that is there already belongs to another program, unless it is to be merged into.
  if (entries[0]?.kind === 'directory') await client.fs.mkdir(root, { recursive: job.force, signal });
  await client.fs.prepareUpload(entries, root, { signal });
  for (const entry of entries) {
    signal.throwIfAborted();
    if (entry.kind === 'directory') continue;
    const path = entry.path === '' ? root : `${root}/${entry.path}`;
    progress.file(entry.path === '' ? basename(job.local) : entry.path);
    const data = createReadStream(join(job.local, entry.path), { highWaterMark: BLOCK_BYTES });
    await follow(client.fs.write(path, data, { signal, ...(atomic ? { atomic } : {}) }), progress);
  }
}

async function localEntries(path: string): Promise<Entries> {
  try {
    return await localFiles.entries(path, ({ path: skipped, why }) => {
      // The root itself is told as the error that it is.
      if (skipped === '') return;
      const what = why === 'brokenLink' ? 'a link that leads nowhere' : 'neither a file nor a directory';
      process.stderr.write(`exec-server cp: left out ${skipped.replace(/\p{Cc}/gu, '?')}: ${what}\n`);
    });
  } catch (cause) {
    throw localFailure(path, cause);
  }
}

/** As cp does: into a directory that is there, otherwise under the name that was given. */
async function remoteTarget(job: CopyJob): Promise<RemoteTarget> {
  const { remote, local } = job;
  const found = await statOrNothing(job, remote);
  const isInside = found?.kind === 'directory';
  if (!isInside && remote.endsWith('/')) throw new CopyError(`${remote} is no directory on the server`);
  if (!isInside) return { path: remote, existing: found };
  const path = `${remote.replace(/\/+$/, '')}/${basename(resolve(local))}`;
  return { path, existing: await statOrNothing(job, path) };
}

export async function statOrNothing(
  { client, signal }: CopyJob,
  path: string,
): Promise<FileStat | undefined> {
  try {
    return await client.fs.stat(path, { signal });
  } catch (error) {
    if (ExecServerError.is(error, 'fs.notFound')) return undefined;
    throw error;
  }
}
