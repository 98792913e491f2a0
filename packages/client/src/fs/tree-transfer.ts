// Uploads and downloads between the local disk and the server: a file, or a directory with everything in it. A directory
// goes as a tree where the server takes trees, and file by file where it does not.

import { platform } from '#platform';
import { unsupported } from '../capabilities.js';
import { ExecServerError, isExecServerError } from '../exec-server-error.js';
import type { LocalEntry, LocalFiles, SkippedEntry } from '../platform.js';
import { checkPath, fromFileUri } from '../remote-path.js';
import { readBlocks } from './file-reader.js';
import { makeParents, writeFile } from './file-writer.js';
import type { FsContext } from './fs-context.js';
import { Transfer, type TransferReport } from './transfer.js';
import { downloadFile } from './tree/download-file.js';
import { downloadTree } from './tree/download-tree.js';
import { FoundEntries } from './tree/found-entries.js';
import { excludesOf, type TransferOptions, type TransferSummary } from './tree/transfer-options.js';
import { uploadFile } from './tree/upload-file.js';
import { uploadTree } from './tree/upload-tree.js';
import { prepareUpload, targetOf } from './upload-targets.js';
import { walkTree } from './walk.js';

interface TransferPaths {
  readonly local: string;
  readonly remote: string;
}

interface Job {
  readonly fs: FsContext;
  readonly local: LocalFiles;
  readonly paths: TransferPaths;
  readonly options: TransferOptions;
  readonly report: TransferReport;
}

export function upload(
  fs: FsContext,
  paths: TransferPaths,
  options: TransferOptions,
): Transfer<TransferSummary> {
  return transfer({ fs, local: requireLocalFiles('Uploading'), paths, options }, uploadEntries);
}

export function download(
  fs: FsContext,
  paths: TransferPaths,
  options: TransferOptions,
): Transfer<TransferSummary> {
  return transfer({ fs, local: requireLocalFiles('Downloading'), paths, options }, downloadEntries);
}

function transfer(
  request: Omit<Job, 'report'>,
  act: (job: Job) => Promise<TransferSummary>,
): Transfer<TransferSummary> {
  const { fs, options } = request;
  return new Transfer({
    clock: fs.link.clock,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    work: async (signal, report) => {
      checkPath(request.paths.local);
      return act({ ...request, report, options: { ...options, signal } });
    },
  });
}

/** What went over the wire, besides what is reported on the way. */
class Count {
  files = 0;
  bytes = 0;
  readonly skipped: SkippedEntry[] = [];

  readonly #report: TransferReport;

  constructor(report: TransferReport) {
    this.#report = report;
  }

  readonly onFile = (path: string): void => {
    this.files++;
    this.#report.file(path);
  };

  readonly onBytes = (bytes: number): void => {
    this.bytes += bytes;
    this.#report.bytes(bytes);
  };

  readonly onSkip = (skipped: SkippedEntry): void => void this.skipped.push(skipped);

  get summary(): TransferSummary {
    const { files, bytes, skipped } = this;
    return { files, bytes, skipped };
  }
}

async function uploadEntries(job: Job): Promise<TransferSummary> {
  const { fs, local, paths, options } = job;
  const count = new Count(job.report);
  const takesTrees = fs.capabilities.supports('fs.trees');
  const excludes = excludesOf(options);
  const found = new FoundEntries();
  const walk = localStep(paths.local, () =>
    local.entries(paths.local, {
      links: takesTrees ? 'keep' : 'follow',
      excludes: (names, isDirectory) => names.length > 0 && excludes(names, isDirectory),
      onEntry: found.add,
      onSkip: count.onSkip,
    }),
  ).then((entries) => {
    const files = entries.filter(({ kind }) => kind === 'file');
    job.report.total({ bytes: files.reduce((sum, { size }) => sum + size, 0), files: files.length });
    return entries;
  });
  walk.then(
    () => found.end(),
    (error: unknown) => found.end({ error }),
  );
  const isTree = takesTrees && (await found.first())?.kind === 'directory';
  if (isTree) {
    const { onFile, onBytes } = count;
    const { local: root, remote } = paths;
    const send = (): Promise<void> =>
      uploadTree(fs, { local, root, remote, found, options, onFile, onBytes });
    await localStep(root, send).finally(() => found.leave());
    return count.summary;
  }
  const entries = await walk;
  if (takesTrees && entries.length > 0) await uploadOne(job, count);
  else await uploadOneByOne(job, entries, count);
  return count.summary;
}

async function uploadOne({ fs, local, paths, options }: Job, count: Count): Promise<void> {
  await makeParents(fs, paths.remote, options);
  const source = await localStep(paths.local, () => local.openSource(paths.local));
  count.onFile('');
  const { onBytes } = count;
  await localStep(paths.local, () =>
    uploadFile(fs, { local: paths.local, source, remote: paths.remote, options, onBytes }),
  ).finally(() => source.close());
}

async function uploadOneByOne(
  { fs, local, paths, options }: Job,
  entries: readonly LocalEntry[],
  count: Count,
): Promise<void> {
  const job = { fs, remote: paths.remote, options };
  await prepareUpload(job, entries);
  for (const entry of entries) {
    if (entry.kind !== 'file') continue;
    count.onFile(entry.path);
    await writeFile(fs, targetOf(job, entry), {
      data: local.read(paths.local, entry.path),
      options: { ...options, parents: entry.path === '' },
      onBytes: count.onBytes,
    });
  }
}

async function downloadEntries(job: Job): Promise<TransferSummary> {
  const { fs, paths, options } = job;
  const count = new Count(job.report);
  const { isDirectory, size } = await fs.call(
    'fs/getMetadata',
    { path: fs.uri(paths.remote), ...fs.sandboxOf(options) },
    { path: paths.remote, repeatable: true, signal: options.signal },
  );
  if (!isDirectory) {
    job.report.total({ bytes: size, files: 1 });
    await downloadOne(job, count);
  } else if (fs.capabilities.supports('fs.trees')) await downloadWhole(job, count);
  else await downloadOneByOne(job, count);
  return count.summary;
}

async function downloadOne(job: Job, count: Count): Promise<void> {
  const { fs, local, paths, options } = job;
  if (!fs.capabilities.supports('fs.trees'))
    return downloadContents(job, { remote: paths.remote, path: '' }, count);
  count.onFile('');
  const { onBytes } = count;
  await localStep(paths.local, () =>
    downloadFile(fs, { remote: paths.remote, local, target: paths.local, options, onBytes }),
  );
}

async function downloadWhole({ fs, local, paths, options }: Job, count: Count): Promise<void> {
  excludesOf(options);
  const writer = local.treeWriter(paths.local);
  const { onFile, onBytes, onSkip } = count;
  try {
    await localStep(paths.local, () =>
      downloadTree(fs, { remote: paths.remote, options, writer, onFile, onBytes, onSkip }),
    );
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

async function downloadOneByOne(job: Job, count: Count): Promise<void> {
  const { fs, local, paths, options } = job;
  const root = fromFileUri(fs.uri(paths.remote));
  const excludes = excludesOf(options);
  const left: string[] = [];
  await localStep(paths.local, () => local.makeDirectory(paths.local, ''));
  for await (const entry of walkTree(fs, paths.remote, options)) {
    const path = entry.path.slice(root.length).replace(/^\//, '');
    const isDirectory = entry.kind === 'directory';
    const isLeft = left.some((directory) => path.startsWith(`${directory}/`));
    if (isLeft || excludes(path.split('/'), isDirectory)) {
      if (isDirectory && !isLeft) left.push(path);
    } else if (isDirectory) await localStep(path, () => local.makeDirectory(paths.local, path));
    else await downloadContents(job, { remote: entry.path, path }, count);
  }
}

async function downloadContents(
  { fs, local, paths, options }: Job,
  { remote, path }: { readonly remote: string; readonly path: string },
  count: Count,
): Promise<void> {
  const counted = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const block of readBlocks(fs, remote, options)) {
      yield block;
      count.onBytes(block.length);
    }
  };
  count.onFile(path);
  await localStep(path === '' ? paths.local : path, () => local.write(paths.local, path, counted()));
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
