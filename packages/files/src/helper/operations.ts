// The operations of a helper, on the file system of its own process.

import { formatPath } from '@codex/exec-protocol';
import type { FileSystem, OpenFile, WalkOptions } from '../file-system.js';
import { type FsError, otherError } from '../fs-error.js';
import {
  fromWirePath,
  type HelperOperations,
  type OperationName,
  toWirePath,
} from '../helper-protocol/helper-messages.js';
import { fileTooLarge } from '../local/contents/read-file.js';
import { SMALL_FILE_BYTES } from '../small-file.js';
import type { HelperWatches } from './watch/helper-watches.js';

export interface CallContext {
  readonly payload: Uint8Array;
  readonly signal: AbortSignal;
  readonly files: OpenFiles;
  /** Loaded with the first watch: few helpers watch, and all of them start. */
  watches(): Promise<HelperWatches>;
  /** Waits until the server has room for that many bytes. */
  reserve(bytes: number): Promise<void>;
}

export interface Outcome {
  readonly result?: unknown;
  readonly payload?: Uint8Array;
}

type Operation<Name extends OperationName> = (
  args: HelperOperations[Name],
  context: CallContext,
) => Promise<Outcome | undefined>;

/** The files that a helper holds open, by number. */
export class OpenFiles {
  readonly #files = new Map<number, OpenFile>();
  #next = 1;

  add(file: OpenFile): number {
    const number = this.#next++;
    this.#files.set(number, file);
    return number;
  }

  get(number: number): OpenFile {
    const file = this.#files.get(number);
    if (file === undefined) throw otherError('the file is not open');
    return file;
  }

  take(number: number): OpenFile {
    const file = this.get(number);
    this.#files.delete(number);
    return file;
  }
}

export class TooLarge extends Error {
  readonly size: number;
  readonly failure: FsError;

  constructor(size: number, limit: number) {
    super('too large');
    this.size = size;
    this.failure = fileTooLarge(limit);
  }
}

export type Operations = { readonly [Name in OperationName]: Operation<Name> };

export const operationsOn = (fileSystem: FileSystem): Operations => ({
  readFile: async ({ path, maxBytes, followSymlinks }, { reserve }) => {
    let tooLarge: number | undefined;
    const bytes = await fileSystem
      .readFile(fromWirePath(path), {
        maxBytes,
        ...(followSymlinks === undefined ? {} : { followSymlinks }),
        tooLarge: (size) => {
          tooLarge = size;
          return fileTooLarge(maxBytes);
        },
        // The server is asked before a larger file is read.
        reserve: (size) => (size > SMALL_FILE_BYTES ? reserve(size) : undefined),
      })
      .catch((error: unknown) => {
        throw tooLarge === undefined ? error : new TooLarge(tooLarge, maxBytes);
      });
    return { payload: bytes };
  },
  writeFile: async ({ path, options }, { payload }) => {
    await fileSystem.writeFile(fromWirePath(path), payload, options);
    return undefined;
  },
  createDirectory: async ({ path, ...options }) => {
    await fileSystem.createDirectory(fromWirePath(path), options);
    return undefined;
  },
  getMetadata: async ({ path, ...options }) => ({
    result: await fileSystem.getMetadata(fromWirePath(path), options),
  }),
  canonicalize: async ({ path }) => ({
    result: toWirePath(await fileSystem.canonicalize(fromWirePath(path))),
  }),
  readDirectory: async ({ path, maxEntries }) => ({
    result: await fileSystem.readDirectory(fromWirePath(path), maxEntries),
  }),
  walk: async ({ path, form, options }, { signal }) => ({
    result: await fileSystem.walk(fromWirePath(path), {
      ...(options as unknown as WalkOptions),
      formatPath: (found) => formatPath(found, form),
      signal,
    }),
  }),
  remove: async ({ path, ...options }, { signal }) => {
    await fileSystem.remove(fromWirePath(path), { ...options, signal });
    return undefined;
  },
  copy: async ({ path, destination, recursive }, { signal }) => {
    await fileSystem.copy(fromWirePath(path), fromWirePath(destination), { recursive, signal });
    return undefined;
  },
  rename: async ({ path, destination, overwrite }) => {
    await fileSystem.rename(fromWirePath(path), fromWirePath(destination), { overwrite });
    return undefined;
  },
  open: async ({ path, mode }, { files }) => ({
    result: files.add(await fileSystem.open(fromWirePath(path), mode)),
  }),
  writeTree: async ({ path, entries }, { payload }) => {
    await fileSystem.writeTree(fromWirePath(path), entries, payload);
    return undefined;
  },
  readTree: async ({ path, ...options }, { signal }) => {
    const { bytes, ...result } = await fileSystem.readTree(fromWirePath(path), { ...options, signal });
    return { result, payload: bytes };
  },
  readBlock: async ({ file, offset, length }, { files }) => {
    const { bytes, eof } = await files.get(file).read(offset, length);
    return { result: { eof }, payload: bytes };
  },
  writeBlock: async ({ file, offset }, { files, payload }) => {
    await files.get(file).write(offset, payload);
    return undefined;
  },
  close: async ({ file }, { files }) => {
    await files.take(file).close();
    return undefined;
  },
  watch: async ({ watch, path, ...target }, { watches }) => {
    await (await watches()).add(watch, { ...target, path: fromWirePath(path) });
    return undefined;
  },
  watchMissing: async ({ watch, missing, present }, { watches }) => ({
    result: await (await watches()).addMissing(watch, {
      missing: missing.map(fromWirePath),
      present: present === undefined ? undefined : fromWirePath(present),
    }),
  }),
  unwatch: async ({ watch }, { watches }) => {
    (await watches()).remove(watch);
    return undefined;
  },
});
