// Writes a downloaded tree. Files are written beside their targets and renamed when they are whole, or lie in a new directory that
// is renamed when they are; directories are open to their owner while they are filled; links come last. No link below the root is followed, neither one of this tree nor
// one that stood there before, which an earlier download may have brought: what is a link on the way is an error.
// Modes are those of the source, less what the umask, or a directory that was there, does not allow.
// What it does not stop: another local process that puts a link in the place of a directory while the tree is written.

import { randomUUID } from 'node:crypto';
import { mkdirSync, type Stats } from 'node:fs';
import {
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readlink,
  rename,
  rm,
  symlink,
  unlink,
} from 'node:fs/promises';
import { join, sep } from 'node:path';
import { spreadOverDirectories, type TreeEntry } from '@codex/exec-protocol';
import { ExecServerError } from '../exec-server-error.js';
import type { LocalTreeWriter } from '../platform.js';
import { createFile } from './create-file.js';
import { DirectoryFill } from './directory-fill.js';
import { hasCode, keepWithin, PERMISSIONS, setTime, writeAll } from './local-file-steps.js';
import { QuickDisk } from './quick-disk.js';
import { SMALL_FILE_BYTES, setAttributesSync, writeSmallFile } from './small-files.js';

interface Item {
  readonly entry: TreeEntry;
  readonly bytes: Uint8Array;
}

interface PartialFile {
  readonly path: string;
  readonly place: string;
}

const FILES_AT_ONCE = 16;
const OWNER = 0o700;
const OWNER_WRITES = 0o200;
const DEFAULT_MODE = 0o666;

export class NodeTreeWriter implements LocalTreeWriter {
  readonly #root: string;
  /** Of the names of partial files. Not made of the names of their targets, which may be as long as a name can be. */
  readonly #partialId = randomUUID();
  #partialCount = 0;
  readonly #directories: TreeEntry[] = [];
  readonly #links: TreeEntry[] = [];
  /** Directories that are known to be none but directories, and whether they lie on a quick disk. */
  readonly #known = new Map<string, boolean | Promise<boolean>>();
  #disk: QuickDisk | undefined;
  /** The file of which only the beginning has come; the next piece is its own. */
  #unfinished: PartialFile | undefined;
  /** The directory that has no name yet, while small files of it come one after the other. */
  #fill: DirectoryFill | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  async write(items: readonly Item[]): Promise<void> {
    let files: Item[] = [];
    for (const [index, item] of items.entries()) {
      const { entry } = item;
      if (QuickDisk.isTurnOver) await QuickDisk.nextTurn();
      if (this.#takeQuickly(item, items[index + 1])) continue;
      await this.#endFill();
      if (entry.kind === 'directory') await this.#makeDirectory(entry);
      if (entry.kind !== 'file') continue;
      if (isPiece(item)) {
        // Before and behind a piece of a file there is at most this one unfinished.
        await this.#writeFiles(files);
        await this.#writeFile(item);
        files = [];
      } else files.push(item);
    }
    await this.#endFill();
    await this.#writeFiles(files);
  }

  async finish(): Promise<void> {
    if (this.#unfinished !== undefined) throw changedMeanwhile(this.#unfinished.path);
    for (const { path, target = '' } of this.#links) await this.#link(path, target);
    for (const entry of this.#directories.reverse()) {
      const place = join(this.#root, entry.path);
      const isQuick = await this.#isQuick(entry.path);
      if (isQuick && (await QuickDisk.run(() => setAttributesSync(place, entry))) === true) continue;
      const directory = await open(place, 'r');
      await setAttributes(directory, entry).finally(() => directory.close());
    }
  }

  async abandon(): Promise<void> {
    await this.#fill?.remove();
    if (this.#unfinished !== undefined) await rm(this.#unfinished.place, { force: true });
  }

  async #makeDirectory(entry: TreeEntry): Promise<void> {
    const { path } = entry;
    const mode = toOwner(entry);
    if (path === '') {
      await mkdir(this.#root, { recursive: true, mode });
      this.#disk = await QuickDisk.of(this.#root);
      this.#known.set('', this.#disk.isLocal);
    } else {
      const place = await this.#placeOf(path);
      const isParentQuick = await this.#isQuick(parentOf(path));
      const made = mkdir(place, mode).then(
        () => isParentQuick,
        async (error: unknown) => {
          if (!hasCode(error, 'EEXIST')) throw error;
          return this.#disk?.has((await openToOwner(place, path)).dev) === true;
        },
      );
      await this.#know(path, made);
    }
    this.#directories.push(entry);
  }

  /** False: it has to be written the long way. */
  #takeQuickly(item: Item, next: Item | undefined): boolean {
    const { entry } = item;
    if (entry.kind === 'link') this.#links.push(entry);
    else if (entry.kind === 'directory') return this.#makeQuickly(entry, next);
    else return this.#writeQuickly(item);
    return true;
  }

  #makeQuickly(entry: TreeEntry, next: Item | undefined): boolean {
    const { path } = entry;
    const parent = parentOf(path);
    if (path === '' || this.#known.get(parent) !== true) return false;
    if (this.#fill?.endQuickly() === false) return false;
    this.#fill = undefined;
    const place = join(this.#root, path);
    const mode = toOwner(entry);
    if (next !== undefined && isSmallFile(next) && parentOf(next.entry.path) === path) {
      this.#fill = DirectoryFill.begin(path, { place, partial: this.#partialPlace(path) }, mode);
      if (this.#fill === undefined) return false;
    } else if (QuickDisk.runNow(() => mkdirSync(place, { mode }) ?? true) !== true) return false;
    this.#known.set(path, true);
    this.#directories.push(entry);
    return true;
  }

  #writeQuickly(item: Item): boolean {
    const { entry, bytes } = item;
    const { path, mode = DEFAULT_MODE, modifiedAtMs } = entry;
    if (!isSmallFile(item) || this.#unfinished !== undefined) return false;
    const file = { mode: mode & PERMISSIONS, bytes, modifiedAtMs };
    const parent = parentOf(path);
    if (this.#fill?.path === parent) return this.#fill.add(path.slice(parent.length + 1), file);
    if (this.#known.get(parent) !== true) return false;
    const place = join(this.#root, path);
    const partial = this.#partialPlace(path);
    return QuickDisk.runNow(() => writeSmallFile(place, partial, file)) === true;
  }

  async #endFill(): Promise<void> {
    const fill = this.#fill;
    if (fill === undefined) return;
    if (!fill.endQuickly()) await fill.end();
    this.#fill = undefined;
  }

  /** Resolves when all have ended, so that nothing is written behind a failure. */
  async #writeFiles(files: readonly Item[]): Promise<void> {
    if (files.length === 0) return;
    const waiting = spreadOverDirectories(files, ({ entry }) => entry.path)[Symbol.iterator]();
    let hasFailed = false;
    const writeOneByOne = async (): Promise<void> => {
      for (const file of waiting) {
        if (hasFailed) return;
        await this.#writeFile(file).catch((error: unknown) => {
          hasFailed = true;
          throw error;
        });
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, writeOneByOne));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  async #writeFile({ entry, bytes }: Item): Promise<void> {
    const { path, offset = 0, size = 0, mode = DEFAULT_MODE } = entry;
    const partial = offset === 0 ? await this.#begin(path) : this.#goOn(path);
    const isWhole = offset + bytes.length >= size;
    if (!isWhole) this.#unfinished = partial;
    try {
      if (offset === 0 && isWhole) {
        const { modifiedAtMs } = entry;
        await createFile(partial.place, { mode: mode & PERMISSIONS, bytes, modifiedAtMs });
      } else await writePiece(partial.place, { entry, bytes }, isWhole);
      if (!isWhole) return;
      await rename(partial.place, join(this.#root, path));
    } catch (error) {
      await rm(partial.place, { force: true });
      throw error;
    }
    if (this.#unfinished?.place === partial.place) this.#unfinished = undefined;
  }

  async #begin(path: string): Promise<PartialFile> {
    if (this.#unfinished !== undefined) throw changedMeanwhile(this.#unfinished.path);
    await this.#placeOf(path);
    return { path, place: this.#partialPlace(path) };
  }

  #partialPlace(path: string): string {
    return join(this.#root, parentOf(path), `.${this.#partialId}.${++this.#partialCount}.part`);
  }

  #goOn(path: string): PartialFile {
    if (this.#unfinished?.path === path) return this.#unfinished;
    throw this.#unfinished === undefined ? noBeginning(path) : changedMeanwhile(this.#unfinished.path);
  }

  async #link(path: string, target: string): Promise<void> {
    const place = await this.#placeOf(path);
    await symlink(target, place).catch(async (error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
      if ((await readlink(place).catch(() => undefined)) === target) return;
      await unlink(place);
      await symlink(target, place);
    });
  }

  /** Where an entry goes, in a directory that is reached through no link. */
  async #placeOf(path: string): Promise<string> {
    const names = path.split('/');
    if (sep !== '/' && names.some((name) => name.includes(sep)))
      throw notWritable(path, 'its name is none on this system');
    for (let depth = 1; depth < names.length; depth++) {
      const parent = names.slice(0, depth).join('/');
      if (this.#known.has(parent)) await this.#known.get(parent);
      else await this.#lookAt(parent);
    }
    return join(this.#root, path);
  }

  #lookAt(directory: string): Promise<boolean> {
    const found = mustBeDirectory(join(this.#root, directory), directory);
    return this.#know(
      directory,
      found.then(({ dev }) => this.#disk?.has(dev) === true),
    );
  }

  async #know(directory: string, isQuick: Promise<boolean>): Promise<boolean> {
    this.#known.set(directory, isQuick);
    this.#known.set(directory, await isQuick);
    return isQuick;
  }

  async #isQuick(directory: string): Promise<boolean> {
    return (await this.#known.get(directory)) === true;
  }
}

/** Its owner may add the next piece, whatever its mode will be. */
async function writePiece(place: string, { entry, bytes }: Item, isWhole: boolean): Promise<void> {
  const { offset = 0, mode = DEFAULT_MODE } = entry;
  const file = await open(place, offset === 0 ? 'wx' : 'r+', (mode & PERMISSIONS) | OWNER_WRITES);
  try {
    await writeAll(file, bytes, offset);
    if (isWhole) await keepWithin(file, mode);
    await setTime(file, entry);
  } finally {
    await file.close();
  }
}

/** A directory is open to its owner while it is filled. */
function toOwner({ mode = PERMISSIONS }: TreeEntry): number {
  return (mode & PERMISSIONS) | OWNER;
}

function isSmallFile(item: Item): boolean {
  return item.entry.kind === 'file' && item.bytes.length <= SMALL_FILE_BYTES && !isPiece(item);
}

function isPiece({ entry: { offset = 0, size = 0 }, bytes }: Item): boolean {
  return offset > 0 || bytes.length < size;
}

async function openToOwner(place: string, path: string): Promise<Stats> {
  const found = await mustBeDirectory(place, path);
  if ((found.mode & OWNER) !== OWNER) await chmod(place, (found.mode & PERMISSIONS) | OWNER);
  return found;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

async function mustBeDirectory(place: string, path: string): Promise<Stats> {
  const found = await lstat(place);
  if (found.isDirectory()) return found;
  throw notWritable(path, found.isSymbolicLink() ? 'is a link, and not followed' : 'is no directory');
}

function changedMeanwhile(path: string): Error {
  return new ExecServerError('fs.io', `${path}: went away on the server while it was read`, {
    details: { path },
  });
}

function noBeginning(path: string): Error {
  const message = `fs/readTree: the server sends a file without its beginning: ${JSON.stringify(path)}`;
  return new ExecServerError('protocol.violation', message, { details: { message } });
}

async function setAttributes(file: FileHandle, { mode, ...entry }: TreeEntry): Promise<void> {
  if (mode !== undefined) await keepWithin(file, mode);
  await setTime(file, entry);
}

function notWritable(path: string, why: string): Error {
  return new ExecServerError('fs.io', `${path}: ${why}`, { details: { path } });
}
