// Which entries of a tree come next: everything behind a cursor, in the order of the names' bytes, a directory before what
// is in it, until a reply is full. The cursor is all that is known of the requests before, so a reply that was lost is
// asked for again, also of another helper.
import type { Stats } from 'node:fs';
import {
  type Excludes,
  MAX_TREE_DEPTH,
  MAX_TREE_ENTRIES,
  type SkippedTreeEntry,
  staysInside,
  TREE_ENTRY_BYTES,
  TREE_PAYLOAD_BYTES,
  type TreeCursor,
  type TreeEntry,
  treeNames,
} from '@codex/exec-protocol';
import { invalidInput, isErrno } from '../../fs-error.js';
import { displayPath, joinName, type NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { OpenDirectory } from '../paths/open-directory.js';
import { PartMemory } from './part-memory.js';
import { readSmallEntry } from './quick-entries.js';
import { sortedEntries } from './sorted-entries.js';
import { Turns } from './turns.js';

export interface TreePlan {
  readonly entries: readonly TreeEntry[];
  readonly skipped: readonly SkippedTreeEntry[];
  /** There may be more behind `reached`. */
  readonly isFull: boolean;
  /** What was looked at last. */
  readonly reached: string;
  /** Has room for all files one behind the other, and the contents of those that were read when they were looked at. */
  readonly memory: PartMemory;
  readonly read: ReadonlySet<TreeEntry>;
}

export interface PlanOptions {
  readonly excludes: Excludes;
  readonly after: TreeCursor | undefined;
  readonly enoughBytes?: number | undefined;
  readonly signal?: AbortSignal;
}

const PERMISSIONS = 0o777;
/** What one reply may carry besides contents: characters of paths, and entries that were left out. */
const MAX_PATH_CHARACTERS = 1024 * 1024;
const MAX_SKIPPED = MAX_TREE_ENTRIES;
/** Also what is excluded takes its time. */
const MAX_LOOKS = 16 * MAX_TREE_ENTRIES;

export async function planTree(calls: FileCalls, root: NativePath, options: PlanOptions): Promise<TreePlan> {
  const walk = new PlanWalk(calls, root, options);
  const after = options.after === undefined ? [] : treeNames(options.after.path);
  if (after === undefined) throw invalidInput('`after` is no path below the root');
  const directory =
    OpenDirectory.openQuickly(calls, { path: root, place: root, access: 'list' }) ??
    (await OpenDirectory.open(calls, root, 'list'));
  try {
    if (options.after === undefined)
      walk.take({ ...attributes(await calls.fstat(directory.fd)), path: '', kind: 'directory' });
    await walk.visit(directory, [], after);
  } finally {
    await directory.close();
  }
  return walk;
}

class PlanWalk implements TreePlan {
  readonly entries: TreeEntry[] = [];
  readonly skipped: SkippedTreeEntry[] = [];
  readonly read = new Set<TreeEntry>();
  readonly memory: PartMemory;
  isFull = false;
  reached = '';
  #looks = 0;
  #characters = 0;
  readonly #calls: FileCalls;
  readonly #root: NativePath;
  readonly #options: PlanOptions;
  /** Looks are synchronous where they may be: others get their turn in between. */
  readonly #turns = new Turns();

  constructor(calls: FileCalls, root: NativePath, options: PlanOptions) {
    this.#calls = calls;
    this.#root = root;
    this.#options = options;
    this.memory = new PartMemory(options.enoughBytes);
  }

  take(entry: TreeEntry): void {
    this.entries.push(entry);
    this.memory.take(entry.length ?? 0);
    this.#characters += entry.path.length + (entry.target?.length ?? 0);
    if (this.entries.length >= MAX_TREE_ENTRIES || this.memory.used >= TREE_PAYLOAD_BYTES) this.isFull = true;
    if (this.#characters >= MAX_PATH_CHARACTERS || this.#isEnough()) this.isFull = true;
  }

  #isEnough(): boolean {
    const { enoughBytes } = this.#options;
    return (
      enoughBytes !== undefined && this.memory.used + this.entries.length * TREE_ENTRY_BYTES >= enoughBytes
    );
  }

  #skip(path: string, why: SkippedTreeEntry['why']): void {
    this.skipped.push({ path, why });
    this.#characters += path.length;
  }

  /** The next reply goes on behind this path, so it has to be one that a cursor can name. */
  #reach(path: string): void {
    this.reached = path;
    this.#looks += 1;
    const isMuch = this.#looks >= MAX_LOOKS || this.#characters >= MAX_PATH_CHARACTERS;
    if (isMuch || this.skipped.length >= MAX_SKIPPED) this.isFull = true;
  }

  /** `after`: the names of the cursor from this directory on; none when everything in it comes. */
  async visit(directory: OpenDirectory, above: readonly string[], after: readonly string[]): Promise<void> {
    const [start, ...rest] = after;
    const path = above.join('/');
    const listed = { path: this.#placeOf(path), self: directory.self };
    for (const { name, kind } of await sortedEntries(this.#calls, listed, start)) {
      if (this.isFull) return;
      this.#options.signal?.throwIfAborted();
      if (this.#turns.isOver) await this.#turns.next();
      if (kind === 'file' && name !== start && this.#takeQuickly(directory, name, { above, path })) continue;
      await this.#look(directory, { name, above, after: name === start ? rest : undefined });
    }
  }

  /** A small file, with its contents. False: the long way has to be taken. */
  #takeQuickly(
    directory: OpenDirectory,
    name: NativePath,
    within: { readonly above: readonly string[]; readonly path: string },
  ): boolean {
    if (typeof name !== 'string' || within.above.length >= MAX_TREE_DEPTH) return false;
    const path = within.path === '' ? name : `${within.path}/${name}`;
    const isExcluded = this.#options.excludes([...within.above, name], false);
    const most = TREE_PAYLOAD_BYTES - this.memory.used;
    const read = (): Stats | undefined => readSmallEntry(directory.entry(name), this.memory, most);
    const stats = isExcluded ? undefined : this.#calls.sync.run(this.#placeOf(path), read);
    if (stats === undefined && !isExcluded) return false;
    this.#reach(path);
    if (stats === undefined) return true;
    const { size } = stats;
    const entry: TreeEntry = { ...attributes(stats), path, kind: 'file', size, offset: 0, length: size };
    this.take(entry);
    this.read.add(entry);
    return true;
  }

  #placeOf(path: string): NativePath {
    return path === '' ? this.#root : joinName(this.#root, path);
  }

  /** `after` undefined: the entry itself comes too. */
  async #look(
    directory: OpenDirectory,
    {
      name,
      above,
      after,
    }: { name: NativePath; above: readonly string[]; after: readonly string[] | undefined },
  ): Promise<void> {
    const path = [...above, displayPath(name)].join('/');
    if (typeof name !== 'string') {
      this.#skip(path, 'nameIsNotText');
      return;
    }
    const names = [...above, name];
    if (names.length > MAX_TREE_DEPTH) {
      this.#skip(path, 'tooDeep');
      return;
    }
    this.#reach(path);
    try {
      const place = directory.entry(name);
      const known = this.#calls.sync.lookAt(this.#placeOf(path), place);
      const stats = known ?? (await this.#calls.lstat(place));
      if (this.#options.excludes(names, stats.isDirectory())) return;
      if (stats.isDirectory()) await this.#enter(directory, { names, path, stats, after });
      else if (after === undefined || this.#isWithin(path))
        await this.#takeLeaf(directory, { name, path, stats });
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EINVAL', 'ELOOP')) return; // it is gone, or something else now
      if (!isErrno(error, 'EACCES', 'EPERM')) throw error;
      if (after === undefined) this.#skip(path, 'denied');
    }
  }

  async #enter(
    directory: OpenDirectory,
    {
      names,
      path,
      stats,
      after,
    }: {
      names: readonly string[];
      path: string;
      stats: Stats;
      after: readonly string[] | undefined;
    },
  ): Promise<void> {
    const name = names.at(-1) ?? '';
    const place = { path: this.#placeOf(path), place: directory.entry(name), access: 'list' } as const;
    const child = OpenDirectory.openQuickly(this.#calls, place) ?? (await directory.openChild(name, 'list'));
    try {
      if (after === undefined) this.take({ ...attributes(stats), path, kind: 'directory' });
      await this.visit(child, names, after ?? []);
    } finally {
      await child.close();
    }
  }

  /** The cursor stands in the middle of this file. */
  #isWithin(path: string): boolean {
    const { after } = this.#options;
    return after !== undefined && after.path === path && after.offset > 0;
  }

  async #takeLeaf(
    directory: OpenDirectory,
    { name, path, stats }: { name: string; path: string; stats: Stats },
  ): Promise<void> {
    if (stats.isSymbolicLink()) {
      const target = await this.#calls.readlink(directory.entry(name));
      if (typeof target !== 'string' || !staysInside(path, target)) this.#skip(path, 'linkLeadsOut');
      else this.take({ path, kind: 'link', target });
    } else if (stats.isFile()) {
      const offset = this.#isWithin(path) ? (this.#options.after?.offset ?? 0) : 0;
      const length = Math.min(Math.max(stats.size - offset, 0), TREE_PAYLOAD_BYTES - this.memory.used);
      this.take({ ...attributes(stats), path, kind: 'file', size: stats.size, offset, length });
    } else this.#skip(path, 'notAFile');
  }
}

function attributes({ mode, mtimeMs }: Stats): Pick<TreeEntry, 'mode' | 'modifiedAtMs'> {
  return { mode: mode & PERMISSIONS, modifiedAtMs: Math.floor(mtimeMs) };
}
