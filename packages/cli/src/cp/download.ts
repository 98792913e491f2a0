// From the server to here. A new target appears whole or not at all; a tree that is merged into an existing one
// (--force) is replaced file by file. Names from the server never lead out of the target.

import { link, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { FileStat } from '@codex/exec-client';
import { alreadyThere, CopyError, errnoOf, localFailure, needsRecursive } from './copy-error.js';
import { type CopyJob, follow, partialName, tellSkipped } from './copy-job.js';
import { isPlainName } from './plain-name.js';

export async function download(job: CopyJob): Promise<string> {
  const { client, signal } = job;
  const source = await client.fs.stat(job.remote, { signal });
  if (source.kind === 'other') throw new CopyError(`${job.remote} is neither a file nor a directory`);
  if (source.kind === 'directory' && !job.recursive) throw needsRecursive(job.remote);
  const target = await localTarget(job);
  if (target.existing !== undefined) {
    if (!job.force) throw alreadyThere(target.path);
    if (target.existing !== source.kind)
      throw new CopyError(`${target.path} is a ${target.existing}, ${job.remote} a ${source.kind}`);
  }
  if (target.existing === 'directory') await fetchTree(job, job.remote, target.path);
  else if (target.existing === 'file') await fetchFile(job, { remote: job.remote, local: target.path });
  else await fetchNew(job, source, target.path);
  return target.path;
}

async function fetchNew(job: CopyJob, source: FileStat, target: string): Promise<void> {
  const parent = dirname(target);
  if ((await kindOf(parent)) !== 'directory') throw new CopyError(`${parent}: no such directory`);
  const partial = partialName(target);
  try {
    if (source.kind === 'directory') await fetchTree(job, job.remote, partial);
    else await fetchFile(job, { remote: job.remote, local: partial });
    await publish(partial, target, { replace: job.force || source.kind === 'directory' });
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** A link fails when the name is taken, a rename would replace it; one of a directory fails unless that is empty. */
async function publish(partial: string, target: string, { replace }: { replace: boolean }): Promise<void> {
  try {
    if (replace) {
      await rename(partial, target);
      return;
    }
    await link(partial, target);
    await unlink(partial);
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === 'EEXIST' || errno === 'ENOTEMPTY' || errno === 'ENOTDIR') throw alreadyThere(target);
    throw localFailure(target, cause);
  }
}

/** The client checks every name that the server says. */
async function fetchTree(
  { client, exclude, progress, signal }: CopyJob,
  remote: string,
  local: string,
): Promise<void> {
  const transfer = client.fs.download(remote, local, { signal, exclude });
  await follow(transfer, progress);
  tellSkipped(await transfer);
}

async function fetchFile(
  { client, progress, signal }: CopyJob,
  paths: { readonly remote: string; readonly local: string },
): Promise<void> {
  const name = posix.basename(paths.remote);
  await follow(client.fs.download(paths.remote, paths.local, { signal }), progress, name);
}

/** As cp does: into a directory that is there, otherwise under the name that was given. */
async function localTarget({ local, remote }: CopyJob): Promise<{
  readonly path: string;
  readonly existing: 'file' | 'directory' | 'other' | undefined;
}> {
  const found = await kindOf(local);
  if (found !== 'directory' && local.endsWith('/')) throw new CopyError(`${local} is no directory`);
  if (found !== 'directory') return { path: local, existing: found };
  const name = posix.basename(posix.resolve('/', remote));
  if (!isPlainName(name)) throw new CopyError(`say under which name ${remote} is to be stored in ${local}`);
  const path = join(local, name);
  return { path, existing: await kindOf(path) };
}

async function kindOf(path: string): Promise<'file' | 'directory' | 'other' | undefined> {
  try {
    const found = await stat(path);
    if (found.isFile()) return 'file';
    return found.isDirectory() ? 'directory' : 'other';
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return undefined;
    throw localFailure(path, cause);
  }
}
