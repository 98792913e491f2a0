// Walks a tree breadth first, names sorted by their bytes, within the caller's limits and a budget for the reply.

import type { Stats } from 'node:fs';
import { MAX_WALK_DEPTH, MAX_WALK_DIRECTORIES, MAX_WALK_ENTRIES } from '@codex/exec-protocol';
import type { WalkOptions, WalkOutcome } from '../../file-system.js';
import { errnoError, invalidInput, toFsError } from '../../fs-error.js';
import { displayPath, joinName, type NativePath, pathKey, sortByName } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { listEntries } from './directory-entries.js';
import { WalkReport } from './walk-report.js';

/** A large directory is reported in several turns of the event loop. */
const ENTRIES_PER_TURN = 1024;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Pending {
  readonly path: NativePath;
  readonly depth: number;
}

export async function walk(calls: FileCalls, root: NativePath, options: WalkOptions): Promise<WalkOutcome> {
  assertLimits(options);
  const report = new WalkReport(options);
  const rootStats = await calls.stat(root);
  const isLink = (await calls.lstat(root)).isSymbolicLink();
  if (!rootStats.isDirectory() || (isLink && !options.followDirectorySymlinks)) return report.outcome();
  await new TreeWalk(calls, report, options).run(root);
  return report.outcome();
}

function assertLimits({ maxDepth, maxDirectories, maxEntries }: WalkOptions): void {
  if (maxDirectories === 0 || maxEntries === 0) {
    throw invalidInput('filesystem walk limits must be greater than zero');
  }
  const isWithin =
    maxDepth <= MAX_WALK_DEPTH && maxDirectories <= MAX_WALK_DIRECTORIES && maxEntries <= MAX_WALK_ENTRIES;
  if (isWithin) return;
  const depth = `depth=${MAX_WALK_DEPTH}`;
  const others = `directories=${MAX_WALK_DIRECTORIES}, entries=${MAX_WALK_ENTRIES}`;
  throw invalidInput(`filesystem walk limits exceed maximums: ${depth}, ${others}`);
}

class TreeWalk {
  readonly #calls: FileCalls;
  readonly #report: WalkReport;
  readonly #options: WalkOptions;
  readonly #queue: Pending[] = [];
  /** Real paths of the directories that were queued: a cycle of links is entered once. */
  readonly #seen = new Set<string>();

  constructor(calls: FileCalls, report: WalkReport, options: WalkOptions) {
    this.#calls = calls;
    this.#report = report;
    this.#options = options;
  }

  async run(root: NativePath): Promise<void> {
    await this.#enqueue(root, 0);
    for (let visited = 0; visited < this.#queue.length; visited += 1) {
      if (visited === this.#options.maxDirectories) return this.#report.truncate();
      this.#options.signal?.throwIfAborted();
      const next = this.#queue[visited] as Pending;
      if (!(await this.#visit(next))) return;
    }
  }

  async #enqueue(path: NativePath, depth: number): Promise<void> {
    if (this.#options.followDirectorySymlinks) {
      const real = pathKey(await this.#calls.realpath(path));
      if (this.#seen.has(real)) return;
      this.#seen.add(real);
    }
    this.#queue.push({ path, depth });
  }

  /** False when the reply is full. */
  async #visit({ path, depth }: Pending): Promise<boolean> {
    let entries: Awaited<ReturnType<typeof listEntries>>;
    try {
      entries = await listEntries(this.#calls, path);
    } catch (error) {
      return this.#report.addError(path, toFsError(error).message);
    }
    sortByName(entries);
    for (const [index, { name, kind }] of entries.entries()) {
      if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await nextTurn();
      const child = joinName(path, name);
      try {
        const found = await this.#classify(child, kind);
        if (found === undefined) continue;
        if (!this.#report.addEntry(child, found)) return false;
        if (found === 'directory' && depth < this.#options.maxDepth && !this.#isPruned(name)) {
          await this.#enqueue(child, depth + 1);
        }
      } catch (error) {
        if (!this.#report.addError(child, toFsError(error).message)) return false;
      }
    }
    return true;
  }

  async #classify(child: NativePath, kind: string): Promise<'directory' | 'file' | undefined> {
    // upstream: names that are not UTF-8 come back lossy, so the peer reports them as missing; so do we.
    if (typeof child !== 'string') throw errnoError('ENOENT');
    if (kind === 'directory' || kind === 'file') return kind;
    if (kind === 'special') return undefined;
    const stats = await this.#calls.lstat(child);
    if (!stats.isSymbolicLink()) return kindOf(stats);
    if (!this.#options.followDirectorySymlinks) return undefined;
    const target = await this.#calls.stat(child).catch(() => undefined);
    return target?.isDirectory() === true ? 'directory' : undefined;
  }

  #isPruned(name: NativePath): boolean {
    return this.#options.pruneHiddenDirectories && displayPath(name).startsWith('.');
  }
}

function kindOf(stats: Stats): 'directory' | 'file' | undefined {
  if (stats.isDirectory()) return 'directory';
  return stats.isFile() ? 'file' : undefined;
}
