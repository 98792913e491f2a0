// One `fs/watch`: turns inotify events into changes, and keeps watches on all directories of a recursive one.
// A directory is watched first and listed after, so what appears in between is seen twice rather than never.

import { INOTIFY } from '@codex/launcher/watch';
import { forEachBounded } from '../bounded-parallel.js';
import { isErrno, otherError } from '../fs-error.js';
import type { FileCalls } from '../local/calls/file-calls.js';
import { listEntries } from '../local/tree/directory-entries.js';
import { joinName, type NativePath, pathKey } from '../native-path.js';
import type { InotifyEvent } from './inotify-relay.js';
import { PendingMoves } from './pending-moves.js';
import type { HubMember, WatchHub } from './watch-hub.js';
import type { WatchScope } from './watch-scope.js';
import { WatchedDirectory } from './watched-directory.js';
import type { ActiveWatch, ChangeSink } from './watcher.js';

export interface WatchedTreeOptions {
  readonly calls: FileCalls;
  readonly hub: WatchHub;
  readonly scope: WatchScope;
  readonly changes: ChangeSink;
  /** The directory that is watched. */
  readonly directory: NativePath;
  /** Only this entry of it: how a single file is watched, which survives its being replaced. */
  readonly onlyName?: NativePath;
  readonly recursive: boolean;
  readonly maxDirectories: number;
}

const PARALLEL_SCANS = 16;

export class WatchedTree implements HubMember, ActiveWatch {
  readonly #options: WatchedTreeOptions;
  readonly #root: WatchedDirectory;
  readonly #moves = new PendingMoves((directory) => this.#forget(directory));
  readonly #watched = new Set<WatchedDirectory>();
  #isEnded = false;
  #rescan: Promise<void> | undefined;
  #needsRescan = false;
  #isUnwatched = false;

  constructor(options: WatchedTreeOptions) {
    this.#options = options;
    this.#root = new WatchedDirectory(options.directory);
  }

  /** Resolves when everything that is there is watched. */
  async start(): Promise<void> {
    this.#options.hub.join(this);
    try {
      await this.#scan([this.#root], { reportsEntries: false, isStrict: true });
    } catch (error) {
      this.end();
      throw error;
    }
  }

  end(): void {
    this.#isEnded = true;
    for (const directory of this.#root.all()) this.#options.hub.detach(directory);
    this.#options.hub.leave(this);
  }

  lost(): void {
    this.#isUnwatched = true;
    this.#options.changes.losing();
    for (const directory of this.#root.all()) directory.watch = undefined;
  }

  overflowed(): void {
    const { changes, recursive } = this.#options;
    if (!recursive && !this.#isUnwatched) {
      changes.overflow();
      return;
    }
    changes.losing();
    this.#needsRescan = true;
    this.#rescan ??= this.#catchUp().finally(() => {
      this.#rescan = undefined;
    });
  }

  handle(directory: WatchedDirectory, event: InotifyEvent): void {
    const { mask, name } = event;
    if (name === undefined) {
      const isGone = (mask & (INOTIFY.deleteSelf | INOTIFY.moveSelf | INOTIFY.unmount)) !== 0;
      if (isGone && directory.isRoot && this.#options.onlyName === undefined) {
        this.#options.changes.add('removed', directory.path);
      }
      return;
    }
    if (!directory.isBelow(this.#root)) {
      // It was moved away, and where to is known a moment later or never.
      this.#moves.missed();
      return;
    }
    const { onlyName } = this.#options;
    if (onlyName !== undefined && pathKey(onlyName) !== pathKey(name)) return;
    if (mask & INOTIFY.movedFrom) this.#movedAway(directory, event, name);
    else if (mask & INOTIFY.movedTo) this.#arrived(directory, event, name);
    else this.#changed(directory, mask, name);
  }

  #changed(directory: WatchedDirectory, mask: number, name: NativePath): void {
    const { changes } = this.#options;
    const path = directory.entry(name);
    if (mask & INOTIFY.create) {
      changes.add('created', path);
      if (mask & INOTIFY.isDirectory) void this.#enter(directory, name);
    } else if (mask & INOTIFY.delete) {
      changes.add('removed', path);
      this.#forget(directory.child(name));
    } else {
      changes.add('modified', path);
    }
  }

  #movedAway(directory: WatchedDirectory, { cookie }: InotifyEvent, name: NativePath): void {
    const path = directory.entry(name);
    this.#options.changes.add('removed', path);
    const moved = directory.child(name);
    moved?.leave();
    this.#moves.depart(cookie, path, moved);
  }

  #arrived(directory: WatchedDirectory, { mask, cookie }: InotifyEvent, name: NativePath): void {
    const { changes, scope } = this.#options;
    const path = directory.entry(name);
    const move = this.#moves.arrive(cookie);
    if (move === undefined) changes.add('created', path);
    else changes.rename(move.path, path);
    if ((mask & INOTIFY.isDirectory) === 0) return;
    this.#forget(directory.child(name));
    const moved = move?.directory;
    const isKnown = moved !== undefined && scope.shows(path);
    if (isKnown && !move?.hasMissed && isWatched(moved)) {
      moved.moveTo(directory, name);
      return;
    }
    // Of a directory that is not watched yet nothing was told that could be wrong.
    const isOutdated = isKnown && moved.watch !== undefined;
    this.#forget(moved);
    void this.#enter(directory, name).then(() => isOutdated && changes.overflow());
  }

  #forget(directory: WatchedDirectory | undefined): void {
    if (directory === undefined) return;
    directory.leave();
    for (const each of directory.all()) {
      this.#watched.delete(each);
      this.#options.hub.detach(each);
    }
  }

  /** A directory that appeared: watched, and all it holds by then reported as created. */
  async #enter(parent: WatchedDirectory, name: NativePath): Promise<void> {
    const { recursive, scope, changes } = this.#options;
    if (!recursive || parent.child(name) !== undefined || !scope.shows(parent.entry(name))) return;
    const directory = new WatchedDirectory(name, parent);
    await this.#scan([directory], { reportsEntries: true, isStrict: false }).catch(() => changes.overflow());
  }

  async #catchUp(): Promise<void> {
    const mustGoOn = (): boolean => this.#needsRescan && !this.#isEnded;
    while (mustGoOn()) {
      this.#needsRescan = false;
      const known = [...this.#root.all()];
      const isDone = await this.#scan(known, { reportsEntries: false, isStrict: false }).then(
        () => true,
        () => false,
      );
      if (isDone) this.#isUnwatched = false;
      if (!mustGoOn()) this.#options.changes.overflow();
    }
  }

  async #scan(start: readonly WatchedDirectory[], mode: ScanMode): Promise<void> {
    let frontier = [...start];
    let { reportsEntries } = mode;
    while (frontier.length > 0 && !this.#isEnded) {
      const found: WatchedDirectory[] = [];
      await forEachBounded(frontier, PARALLEL_SCANS, async (directory) => {
        for (const below of await this.#watchAndList(directory, { ...mode, reportsEntries }))
          found.push(below);
      });
      frontier = found;
      // What a rescan finds below a directory it did not know is new to the client as well.
      reportsEntries ||= !mode.isStrict;
    }
  }

  /** The subdirectories that were not known before. */
  async #watchAndList(directory: WatchedDirectory, mode: ScanMode): Promise<WatchedDirectory[]> {
    const { hub, scope, recursive } = this.#options;
    try {
      return await scope.at(directory, async (path) => {
        await this.#attach(directory, path);
        if (this.#isEnded || !directory.isBelow(this.#root)) {
          hub.detach(directory);
          return [];
        }
        return recursive ? this.#takeEntries(directory, path, mode) : [];
      });
    } catch (error) {
      // It went away, was replaced by something else, or may not be read: the events of its parent tell.
      const isExpected = isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM');
      if (!isExpected || (directory.isRoot && mode.isStrict)) throw error;
      if (directory.isRoot) this.#options.changes.add('removed', directory.path);
      this.#forget(directory);
      return [];
    }
  }

  async #attach(directory: WatchedDirectory, path: NativePath): Promise<void> {
    const { hub, maxDirectories } = this.#options;
    if (!this.#watched.has(directory) && this.#watched.size >= maxDirectories) {
      throw otherError(`a watch covers at most ${maxDirectories} directories`);
    }
    this.#watched.add(directory);
    await hub.attach({ member: this, directory }, path);
  }

  async #takeEntries(
    directory: WatchedDirectory,
    path: NativePath,
    mode: ScanMode,
  ): Promise<WatchedDirectory[]> {
    const { calls, changes, scope } = this.#options;
    const found: WatchedDirectory[] = [];
    for (const { name, kind } of await listEntries(calls, path)) {
      const entry = directory.entry(name);
      if (!scope.shows(entry)) continue;
      if (mode.reportsEntries) changes.add('created', entry);
      const isDirectory =
        kind === 'directory' ||
        (kind === 'unknown' && (await calls.lstat(joinName(path, name))).isDirectory());
      if (isDirectory && directory.child(name) === undefined)
        found.push(new WatchedDirectory(name, directory));
    }
    return found;
  }
}

function isWatched(directory: WatchedDirectory): boolean {
  return [...directory.all()].every(({ watch }) => watch !== undefined);
}

interface ScanMode {
  readonly reportsEntries: boolean;
  /** The first scan: a failure is thrown to the caller, because the watch is not set up yet. */
  readonly isStrict: boolean;
}
