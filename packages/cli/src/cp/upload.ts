// From here to the server. A new target appears whole or not at all where the server can rename; a tree that is merged
// into an existing one (--force) is replaced file by file.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, posix, resolve } from 'node:path';
import { ExecServerError, type FileStat, type LocalEntry } from '@codex/exec-client';
import { alreadyThere, CopyError, localFailure, needsRecursive } from './copy-error.js';
import { type CopyJob, follow, partialName, tellSkipped } from './copy-job.js';

const BLOCK_BYTES = 1024 * 1024;

export async function upload(job: CopyJob): Promise<string> {
  const root = await localRoot(job.local);
  if (root.kind === 'directory' && !job.recursive) throw needsRecursive(job.local);
  const target = await remoteTarget(job);
  if (target.existing !== undefined) {
    if (!job.force) throw alreadyThere(target.path);
    if (target.existing.kind !== root.kind)
      throw new CopyError(`${target.path} is a ${target.existing.kind}, ${job.local} a ${root.kind}`);
  }
  if (root.kind === 'file' && target.existing === undefined) await mustHaveParent(job, target.path);
  await put(job, target, (place) =>
    root.kind === 'directory' ? sendTree(job, place) : sendFile(job, root, place),
  );
  return target.path;
}

export interface RemoteTarget {
  readonly path: string;
  readonly existing: FileStat | undefined;
}

type Write = (place: Place) => Promise<void>;

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

/** The client would make the directories above a file; `cp` does not. */
async function mustHaveParent(job: CopyJob, path: string): Promise<void> {
  if ((await statOrNothing(job, posix.dirname(path))) === undefined)
    throw new CopyError(`${path}: No such file or directory`);
}

interface Place {
  readonly root: string;
  readonly atomic: boolean;
}

async function sendTree(
  { client, local, exclude, progress, signal }: CopyJob,
  { root }: Place,
): Promise<void> {
  const transfer = client.fs.upload(local, root, { signal, exclude });
  await follow(transfer, progress);
  tellSkipped(await transfer);
}

async function sendFile(job: CopyJob, entry: LocalEntry, { root, atomic }: Place): Promise<void> {
  const { client, local, progress, signal } = job;
  if (client.supports('fs.trees'))
    return follow(client.fs.upload(local, root, { signal }), progress, basename(local));
  progress.total(entry.size);
  await client.fs.prepareUpload([entry], root, { signal });
  progress.file(basename(local));
  const data = createReadStream(local, { highWaterMark: BLOCK_BYTES });
  await follow(client.fs.write(root, data, { signal, ...(atomic ? { atomic } : {}) }), progress);
}

async function localRoot(path: string): Promise<LocalEntry> {
  try {
    const found = await stat(path);
    const kind = found.isDirectory() ? 'directory' : 'file';
    if (found.isFile() || found.isDirectory())
      return { path: '', kind, size: found.size, mode: found.mode & 0o777 };
  } catch (cause) {
    throw localFailure(path, cause);
  }
  throw new CopyError(`${path} is neither a file nor a directory`);
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
