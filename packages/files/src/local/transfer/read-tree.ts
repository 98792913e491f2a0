// A part of a tree with the contents of its files: what `fs/readTree` answers.

import { Buffer } from 'node:buffer';
import * as fs from 'node:fs';
import {
  compileExcludes,
  type SkippedTreeEntry,
  type TreeCursor,
  type TreeEntry,
} from '@codex/exec-protocol';
import { forEachBounded } from '../../bounded-parallel.js';
import type { ReadTreeOptions, TreePart } from '../../file-system.js';
import { invalidInput, isErrno } from '../../fs-error.js';
import { joinName, type NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { runsOf } from './file-runs.js';
import { HeldDirectories } from './held-directories.js';
import { readRootFile } from './root-file.js';
import { planTree, type TreePlan } from './tree-plan.js';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
const FILES_AT_ONCE = 8;

export async function readTree(
  calls: FileCalls,
  root: NativePath,
  options: ReadTreeOptions,
): Promise<TreePart> {
  const { exclude, after, enoughBytes, signal } = options;
  const excludes = compileExcludes(exclude);
  if (excludes === undefined) throw invalidInput('there are too many exclude patterns, or one is too long');
  const plan = await planTree(calls, root, {
    excludes,
    after,
    enoughBytes,
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    // What was a directory when the request before was answered is not gone on with as a file.
    if (!isErrno(error, 'ENOTDIR') || (after?.path ?? '') !== '') throw error;
    return undefined;
  });
  if (plan === undefined) return readRootFile(calls, root, options);
  const nextBehind = (last: TreeEntry | undefined): TreeCursor | null =>
    plan.isFull ? cursorBehind(plan.reached, last) : null;
  const { entries, skipped, memory, read } = plan;
  if (entries.every((entry) => entry.kind !== 'file' || read.has(entry)))
    return { entries, skipped, next: nextBehind(entries.at(-1)), bytes: memory.contents };
  const contents = new Contents(calls, root, plan);
  const found = await contents.read();
  return {
    entries: found,
    skipped: [...skipped, ...contents.skipped],
    next: nextBehind(found.at(-1)),
    bytes: contents.bytes(),
  };
}

/** A file that was read to an end that it did not have when it was looked at, or not at all, is not gone on with. */
function cursorBehind(path: string, read: TreeEntry | undefined): TreeCursor {
  if (read?.path !== path) return { path, offset: 0 };
  const { offset = 0, length = 0, size = 0 } = read;
  return { path, offset: offset + length < size ? offset + length : 0 };
}

interface FileToRead {
  readonly entry: TreeEntry;
  readonly names: readonly string[];
  readonly isAlone: boolean;
  /** Where its contents go, as long as they are to be. */
  readonly target: Buffer;
}

class Contents {
  readonly skipped: SkippedTreeEntry[] = [];
  readonly #calls: FileCalls;
  readonly #root: NativePath;
  readonly #directories: HeldDirectories;
  readonly #entries: readonly TreeEntry[];
  /** Of all files, one behind the other, as long as they were when they were looked at. */
  readonly #memory: Buffer;
  /** Read when they were looked at. */
  readonly #isRead: ReadonlySet<TreeEntry>;
  /** What of the memory is contents. */
  readonly #read = new Map<TreeEntry, Buffer>();

  constructor(calls: FileCalls, root: NativePath, { entries, memory, read }: TreePlan) {
    this.#calls = calls;
    this.#root = root;
    this.#directories = new HeldDirectories(calls, root);
    this.#entries = entries;
    this.#memory = memory.contents;
    this.#isRead = read;
  }

  /** The entries as they were found when they were read: a file that shrank is shorter, one that is gone is left out. */
  async read(): Promise<TreeEntry[]> {
    const files: FileToRead[] = [];
    for (const file of this.#places()) {
      if (this.#isRead.has(file.entry)) this.#read.set(file.entry, file.target);
      else files.push(file);
    }
    try {
      for (const run of runsOf(files)) {
        await this.#directories.makeRoom();
        await forEachBounded(run, FILES_AT_ONCE, (file) => this.#take(file));
        // What is read synchronously holds the event loop: others get their turn between runs.
        if (run.length > 1) await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      await this.#directories.close();
    }
    return this.#entries
      .filter((entry) => entry.kind !== 'file' || this.#read.has(entry))
      .map((entry) => {
        const bytes = this.#read.get(entry);
        if (bytes === undefined || bytes.byteLength === entry.length) return entry;
        const length = bytes.byteLength;
        return { ...entry, length, size: (entry.offset ?? 0) + length };
      });
  }

  bytes(): Uint8Array {
    const contents = this.#entries.flatMap((entry) => this.#read.get(entry) ?? []);
    const isWhole = contents.reduce((sum, { length }) => sum + length, 0) === this.#memory.length;
    return isWhole ? this.#memory : Buffer.concat(contents);
  }

  *#places(): Generator<FileToRead> {
    let end = 0;
    for (const entry of this.#entries) {
      if (entry.kind !== 'file') continue;
      const { path, length = 0 } = entry;
      end += length;
      const target = this.#memory.subarray(end - length, end);
      yield { entry, names: path.split('/'), isAlone: false, target };
    }
  }

  async #take(file: FileToRead): Promise<void> {
    const { entry } = file;
    try {
      const bytes = await this.#contentsOf(file);
      if (bytes !== undefined) this.#read.set(entry, bytes);
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO')) return; // it is gone, or something else now
      if (!isErrno(error, 'EACCES', 'EPERM')) throw error;
      this.skipped.push({ path: entry.path, why: 'denied' });
    }
  }

  /** Undefined when something else stands there now. */
  async #contentsOf({ entry, names, target }: FileToRead): Promise<Buffer | undefined> {
    const { path, offset = 0 } = entry;
    const directory = await this.#directories.get(names.slice(0, -1));
    const place = directory.entry(names.at(-1) ?? '');
    if (this.#calls.sync.readAt(joinName(this.#root, path), place, { target, position: offset }))
      return target;
    const fd = await this.#calls.open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      if (!(await this.#calls.fstat(fd)).isFile()) return undefined;
      let taken = 0;
      while (taken < target.length) {
        const slice = {
          buffer: target,
          offset: taken,
          length: target.length - taken,
          position: offset + taken,
        };
        const count = await this.#calls.read(fd, slice);
        if (count === 0) break;
        taken += count;
      }
      return target.subarray(0, taken);
    } finally {
      await this.#calls.close(fd);
    }
  }
}
