// Uploads and downloads between the local disk and the server: a file, or a directory with everything in it.

import { platform } from '#platform';
import { unsupported } from '../capabilities.js';
import { ExecServerError, isExecServerError } from '../exec-server-error.js';
import type { LocalFiles, SkippedEntry } from '../platform.js';
import { readBlocks } from './file-reader.js';
import { writeFile } from './file-writer.js';
import type { FsContext, FsOptions } from './fs-context.js';
import { fromFileUri } from './remote-path.js';
import { Transfer } from './transfer.js';
import { prepareUpload, targetOf } from './upload-targets.js';
import { walkTree } from './walk.js';

export interface TransferSummary {
  readonly files: number;
  readonly bytes: number;
}

export interface UploadSummary extends TransferSummary {
  /** What was left out: links that lead nowhere, and what is neither a file nor a directory. */
  readonly skipped: readonly SkippedEntry[];
}

export function upload(fs: FsContext, paths: TransferPaths, options: FsOptions): Transfer<UploadSummary> {
  const local = requireLocalFiles('Uploading');
  return new Transfer({
    clock: fs.link.clock,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    work: async (signal, onBytes, setTotal) => {
      const skipped: SkippedEntry[] = [];
      const entries = await localStep(paths.local, () =>
        local.entries(paths.local, (entry) => skipped.push(entry)),
      );
      const files = entries.filter((entry) => entry.kind === 'file');
      setTotal(files.reduce((sum, file) => sum + file.size, 0));
      const job = { fs, remote: paths.remote, options: { ...options, signal } };
      await prepareUpload(job, entries);
      let bytes = 0;
      for (const entry of files) {
        await writeFile(fs, targetOf(job, entry), {
          data: local.read(paths.local, entry.path),
          options: { ...options, signal, parents: entry.path === '' },
          onBytes: (count) => {
            bytes += count;
            onBytes(count);
          },
        });
      }
      return { files: files.length, bytes, skipped };
    },
  });
}

export function download(fs: FsContext, paths: TransferPaths, options: FsOptions): Transfer<TransferSummary> {
  const local = requireLocalFiles('Downloading');
  return new Transfer({
    clock: fs.link.clock,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    work: async (signal, onBytes, setTotal) => {
      const job = { fs, local, root: paths.local, options: { ...options, signal }, onBytes };
      const { isDirectory, size } = await fs.call(
        'fs/getMetadata',
        { path: fs.uri(paths.remote), ...fs.sandboxOf(options) },
        { path: paths.remote, repeatable: true, signal },
      );
      if (isDirectory) return downloadTree(job, paths.remote);
      setTotal(size);
      return { files: 1, bytes: await downloadFile(job, paths.remote, '') };
    },
  });
}

interface TransferPaths {
  readonly local: string;
  readonly remote: string;
}

interface DownloadJob {
  readonly fs: FsContext;
  readonly local: LocalFiles;
  readonly root: string;
  readonly options: FsOptions;
  onBytes(bytes: number): void;
}

async function downloadTree(job: DownloadJob, remote: string): Promise<TransferSummary> {
  const root = fromFileUri(job.fs.uri(remote));
  let files = 0;
  let bytes = 0;
  await localStep(job.root, () => job.local.makeDirectory(job.root, ''));
  for await (const entry of walkTree(job.fs, remote, job.options)) {
    const path = entry.path.slice(root.length).replace(/^\//, '');
    if (entry.kind === 'directory') await localStep(path, () => job.local.makeDirectory(job.root, path));
    else {
      bytes += await downloadFile(job, entry.path, path);
      files++;
    }
  }
  return { files, bytes };
}

async function downloadFile(job: DownloadJob, remote: string, path: string): Promise<number> {
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const block of readBlocks(job.fs, remote, job.options)) {
      bytes += block.length;
      yield block;
      job.onBytes(block.length);
    }
  };
  await localStep(path === '' ? job.root : path, () => job.local.write(job.root, path, counted()));
  return bytes;
}

function requireLocalFiles(what: string): LocalFiles {
  if (platform.localFiles === undefined) throw unsupported('fs.localFiles', what);
  return platform.localFiles;
}

async function localStep<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (isExecServerError(cause)) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ExecServerError('fs.io', `local file ${path}: ${why}`, { details: { path }, cause });
  }
}
