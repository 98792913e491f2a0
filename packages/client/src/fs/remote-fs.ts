// Files on the server's machine. Paths are plain strings; relative ones start at the server's working directory.

import type { Capabilities } from '../capabilities.js';
import { ExecServerError } from '../exec-server-error.js';
import type { LocalEntry } from '../platform.js';
import { baseName, fromFileUri, joinPath } from '../remote-path.js';
import type { Result } from '../result.js';
import type { RunOptions } from '../run/run-promise.js';
import type { SessionLink } from '../session/session-link.js';
import type { Input } from '../spawn-options.js';
import { checkFileOptions } from './file-option-rules.js';
import { type ReadRange, readBlocks, readWholeFile } from './file-reader.js';
import { type WriteOptions, writeFile } from './file-writer.js';
import { FsContext, type FsOptions } from './fs-context.js';
import { Transfer } from './transfer.js';
import type { TransferOptions, TransferSummary } from './tree/transfer-options.js';
import { download, upload } from './tree-transfer.js';
import { prepareUpload } from './upload-targets.js';
import { type WalkEntry, type WalkOptions, walkTree } from './walk.js';
import { FsWatch, type WatchOptions } from './watch.js';
import type { WatchRegistry } from './watch-registry.js';

export interface FileEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'other';
}

export interface FileStat extends FileEntry {
  /** The path itself is a link; everything else is about what it leads to. */
  readonly isLink: boolean;
  readonly size: number;
  readonly modifiedAt: Date;
  /** Absent where the file system does not keep it. */
  readonly createdAt?: Date;
}

export interface RemoteFsParts {
  readonly link: SessionLink;
  readonly capabilities: Capabilities;
  readonly watches: WatchRegistry;
  /** Runs a command on the server, for what the protocol's file requests cannot do. */
  run(command: readonly string[], options: RunOptions): Promise<Result>;
}

export class RemoteFs {
  readonly #fs: FsContext;
  readonly #watches: WatchRegistry;

  constructor({ watches, ...parts }: RemoteFsParts) {
    this.#fs = new FsContext(parts);
    this.#watches = watches;
  }

  /** UTF-8; bytes that are not become U+FFFD. */
  async readText(path: string, options: FsOptions = {}): Promise<string> {
    checkFileOptions('readText', options);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await this.readBytes(path, options));
  }

  async readBytes(path: string, options: FsOptions = {}): Promise<Uint8Array> {
    checkFileOptions('readBytes', options);
    return readWholeFile(this.#fs, path, options);
  }

  /** A lost connection fails the stream: what the file holds afterwards may not continue what was read. */
  readStream(path: string, options: FsOptions & ReadRange = {}): ReadableStream<Uint8Array> {
    checkFileOptions('readStream', options);
    const blocks = readBlocks(this.#fs, path, options);
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { value, done } = await blocks.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => void (await blocks.return()),
      },
      { highWaterMark: 0 },
    );
  }

  /** Creates or replaces the file. */
  write(path: string, data: Input, options: WriteOptions = {}): Transfer {
    checkFileOptions('write', options);
    const size = data instanceof Uint8Array ? { totalBytes: data.length } : {};
    return new Transfer({
      ...size,
      clock: this.#fs.link.clock,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      work: async (signal, { bytes: onBytes }) =>
        writeFile(this.#fs, path, { data, options: { ...options, signal }, onBytes }),
    });
  }

  /** What is directly in a directory, by name. Broken links are left out by servers. */
  async list(path: string, options: FsOptions = {}): Promise<FileEntry[]> {
    checkFileOptions('list', options);
    const params = { path: this.#fs.uri(path), ...this.#fs.sandboxOf(options) };
    const { entries } = await this.#fs.call('fs/readDirectory', params, this.#looking(path, options));
    const directory = this.#fs.absolute(path);
    return entries
      .map((entry) => ({
        name: entry.fileName,
        path: joinPath(directory, entry.fileName),
        kind: kindOf(entry),
      }))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  /** Everything below a directory. Links to files are left out by servers. */
  walk(path: string, options: WalkOptions = {}): AsyncIterableIterator<WalkEntry> {
    checkFileOptions('walk', options);
    return walkTree(this.#fs, path, options);
  }

  async stat(path: string, options: FsOptions = {}): Promise<FileStat> {
    checkFileOptions('stat', options);
    const params = { path: this.#fs.uri(path), ...this.#fs.sandboxOf(options) };
    const found = await this.#fs.call('fs/getMetadata', params, this.#looking(path, options));
    return {
      name: baseName(path),
      path: this.#fs.absolute(path),
      kind: kindOf(found),
      isLink: found.isSymlink,
      size: found.size,
      modifiedAt: new Date(found.modifiedAtMs),
      ...(found.createdAtMs === 0 ? {} : { createdAt: new Date(found.createdAtMs) }),
    };
  }

  /** False only when there is nothing; a path that may not be looked at is an error. */
  async exists(path: string, options: FsOptions = {}): Promise<boolean> {
    checkFileOptions('exists', options);
    try {
      await this.stat(path, options);
      return true;
    } catch (error) {
      if (ExecServerError.is(error, 'fs.notFound')) return false;
      throw error;
    }
  }

  async realpath(path: string, options: FsOptions = {}): Promise<string> {
    checkFileOptions('realpath', options);
    const params = { path: this.#fs.uri(path), ...this.#fs.sandboxOf(options) };
    const found = await this.#fs.call('fs/canonicalize', params, this.#looking(path, options));
    return fromFileUri(found.path);
  }

  /** Creates missing parents too, unless `recursive` is false. */
  async mkdir(path: string, options: FsOptions & { readonly recursive?: boolean } = {}): Promise<void> {
    checkFileOptions('mkdir', options);
    const { recursive = true, signal } = options;
    const params = { path: this.#fs.uri(path), recursive, ...this.#fs.sandboxOf(options) };
    await this.#fs.call('fs/createDirectory', params, { path, signal, repeatable: recursive });
  }

  /** A directory needs `recursive`; a missing path is an error unless `force`. */
  async remove(
    path: string,
    options: FsOptions & { readonly recursive?: boolean; readonly force?: boolean } = {},
  ): Promise<void> {
    checkFileOptions('remove', options);
    const { recursive = false, force = false, signal } = options;
    const params = { path: this.#fs.uri(path), recursive, force, ...this.#fs.sandboxOf(options) };
    await this.#fs.call('fs/remove', params, { path, signal, repeatable: force });
  }

  async copy(
    from: string,
    to: string,
    options: FsOptions & { readonly recursive?: boolean } = {},
  ): Promise<void> {
    checkFileOptions('copy', options);
    const params = {
      sourcePath: this.#fs.uri(from),
      destinationPath: this.#fs.uri(to),
      recursive: options.recursive ?? false,
      ...this.#fs.sandboxOf(options),
    };
    await this.#fs.call('fs/copy', params, { path: from, signal: options.signal });
  }

  /** In one step where the server has `fs.rename`; elsewhere a copy that then takes the original away. */
  async move(
    from: string,
    to: string,
    options: FsOptions & { readonly overwrite?: boolean } = {},
  ): Promise<void> {
    checkFileOptions('move', options);
    const { overwrite = true, signal } = options;
    if (!this.#fs.capabilities.supports('fs.rename')) {
      await this.#copyAndRemove(from, to, options);
      return;
    }
    const params = {
      sourcePath: this.#fs.uri(from),
      destinationPath: this.#fs.uri(to),
      ...(overwrite ? {} : { overwrite }),
      ...this.#fs.sandboxOf(options),
    };
    await this.#fs.call('fs/rename', params, { path: from, signal });
  }

  /** Changes from `ready` on. Needs `fs.watch`; one that a sandbox restricts needs `fs.sandboxedWatch`. */
  watch(path: string, options: WatchOptions = {}): FsWatch {
    checkFileOptions('watch', options);
    this.#fs.capabilities.require('fs.watch', 'Watching files');
    return new FsWatch(this.#fs, this.#watches, { path, options });
  }

  /**
   * A local file, or a directory with everything in it: `skipped` says what was left out, and what others may not read
   * here they may not read there. To a server that takes whole trees (`fs.trees`), links of a directory stay links, modes
   * and times are kept, and a single file has its name only when it is whole; otherwise links are followed. Node only.
   */
  upload(local: string, remote: string, options: TransferOptions = {}): Transfer<TransferSummary> {
    checkFileOptions('upload', options);
    return upload(this.#fs, { local, remote }, options);
  }

  /**
   * For uploads that write by themselves: makes the directories, and the files that others may not read here, empty and
   * closed to others, so that contents can follow.
   */
  async prepareUpload(
    entries: readonly LocalEntry[],
    remote: string,
    options: FsOptions = {},
  ): Promise<void> {
    checkFileOptions('prepareUpload', options);
    await prepareUpload({ fs: this.#fs, remote, options }, entries);
  }

  /** A remote file, or a directory with everything in it, links, modes and times as for `upload`. Node only. */
  download(remote: string, local: string, options: TransferOptions = {}): Transfer<TransferSummary> {
    checkFileOptions('download', options);
    return download(this.#fs, { local, remote }, options);
  }

  async #copyAndRemove(
    from: string,
    to: string,
    { overwrite, ...options }: FsOptions & { readonly overwrite?: boolean },
  ): Promise<void> {
    if (overwrite === false && (await this.exists(to, options))) {
      throw new ExecServerError('fs.exists', `${to}: already exists`, { details: { path: to } });
    }
    await this.copy(from, to, { ...options, recursive: true });
    await this.remove(from, { ...options, recursive: true });
  }

  #looking(path: string, { signal }: FsOptions) {
    return { path, signal, repeatable: true };
  }
}

function kindOf(entry: { readonly isFile: boolean; readonly isDirectory: boolean }): FileEntry['kind'] {
  if (entry.isFile) return 'file';
  return entry.isDirectory ? 'directory' : 'other';
}
