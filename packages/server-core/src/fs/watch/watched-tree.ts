// One `fs/watch`: turns inotify events into changes, and keeps watches on all directories of a recursive one.
// A directory is watched first and listed after, so what appears in between is seen twice rather than never.
import { forEachBounded } from '../bounded-parallel.js';
import { type DirectoryEntryInfo, listEntries } from '../directory-entries.js';
import { lstat } from '../fs-calls.js';
import { isErrno, otherError } from '../fs-error.js';
import { joinName, type NativePath, pathKey } from '../native-path.js';
import type { ChangeBatch } from './change-batch.js';
import type { InotifyEvent } from './inotify-relay.js';
import { INOTIFY } from './relay-codec.js';
import type { HubMember, WatchHub } from './watch-hub.js';
import { WatchedDirectory } from './watched-directory.js';

export interface WatchedTreeOptions {
  readonly hub: WatchHub;
  readonly changes: ChangeBatch;
  /** The directory that is watched. */
  readonly directory: NativePath;
  /** Only this entry of it: how a single file is watched, which survives its being replaced. */
  readonly onlyName?: NativePath;
  readonly recursive: boolean;
  readonly maxDirectories: number;
}

interface MoveAway {
  readonly path: NativePath;
  readonly directory: WatchedDirectory | undefined;
}

const PARALLEL_SCANS = 16;

export class WatchedTree implements HubMember {
  readonly #options: WatchedTreeOptions;
  readonly #root: WatchedDirectory;
  /** Directories that were moved away, by the cookie that their arrival would carry. */
  readonly #moves = new Map<number, MoveAway>();
  readonly #watched = new Set<WatchedDirectory>();
  #isEnded = false;
  #rescan: Promise<void> | undefined;
  #needsRescan = false;

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
    this.#options.changes.end();
  }

  overflowed(isRestarted: boolean): void {
    const { changes, recursive } = this.#options;
    changes.overflow();
    if (isRestarted) for (const directory of this.#root.all()) directory.watch = undefined;
    if (!recursive && !isRestarted) return;
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
      if (mask & INOTIFY.isDirectory) this.#enter(directory, name);
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
    this.#moves.set(cookie, { path, directory: moved });
    // The arrival follows at once, or it was a move out of the tree.
    setTimeout(() => {
      const move = this.#moves.get(cookie);
      this.#moves.delete(cookie);
      this.#forget(move?.directory);
    }, 100).unref();
  }

  #arrived(directory: WatchedDirectory, { mask, cookie }: InotifyEvent, name: NativePath): void {
    const { changes } = this.#options;
    const path = directory.entry(name);
    const move = this.#moves.get(cookie);
    this.#moves.delete(cookie);
    if (move === undefined) changes.add('created', path);
    else changes.rename(move.path, path);
    if ((mask & INOTIFY.isDirectory) === 0) return;
    this.#forget(directory.child(name));
    if (move?.directory) move.directory.moveTo(directory, name);
    else this.#enter(directory, name);
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
  #enter(parent: WatchedDirectory, name: NativePath): void {
    if (!this.#options.recursive || parent.child(name) !== undefined) return;
    const directory = new WatchedDirectory(name, parent);
    this.#scan([directory], { reportsEntries: true, isStrict: false }).catch(() =>
      this.#options.changes.overflow(),
    );
  }

  async #catchUp(): Promise<void> {
    while (this.#needsRescan && !this.#isEnded) {
      this.#needsRescan = false;
      await this.#scan([...this.#root.all()], { reportsEntries: false, isStrict: false }).catch(() =>
        this.#options.changes.overflow(),
      );
    }
  }

  async #scan(start: readonly WatchedDirectory[], mode: ScanMode): Promise<void> {
    let frontier = [...start];
    let { reportsEntries } = mode;
    while (frontier.length > 0 && !this.#isEnded) {
      const found: WatchedDirectory[] = [];
      await forEachBounded(frontier, PARALLEL_SCANS, async (directory) => {
        found.push(...(await this.#watchAndList(directory, { ...mode, reportsEntries })));
      });
      frontier = found;
      // What a rescan finds below a directory it did not know is new to the client as well.
      reportsEntries ||= !mode.isStrict;
    }
  }

  /** The subdirectories that were not known before. */
  async #watchAndList(directory: WatchedDirectory, mode: ScanMode): Promise<WatchedDirectory[]> {
    try {
      if (directory.watch === undefined) {
        await this.#attach(directory);
        if (this.#isEnded || !directory.isBelow(this.#root)) {
          this.#options.hub.detach(directory);
          return [];
        }
      }
      if (!this.#options.recursive) return [];
      return await this.#takeEntries(directory, await listEntries(directory.path), mode);
    } catch (error) {
      // It went away, was replaced by something else, or may not be read: the events of its parent tell.
      const isExpected = isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM');
      if (!isExpected || (directory.isRoot && mode.isStrict)) throw error;
      this.#forget(directory);
      return [];
    }
  }

  async #attach(directory: WatchedDirectory): Promise<void> {
    const { hub, maxDirectories } = this.#options;
    if (this.#watched.size >= maxDirectories) {
      throw otherError(`a watch covers at most ${maxDirectories} directories`);
    }
    this.#watched.add(directory);
    await hub.attach(this, directory);
  }

  async #takeEntries(
    directory: WatchedDirectory,
    entries: readonly DirectoryEntryInfo[],
    mode: ScanMode,
  ): Promise<WatchedDirectory[]> {
    const found: WatchedDirectory[] = [];
    for (const { name, kind } of entries) {
      const path = joinName(directory.path, name);
      if (mode.reportsEntries) this.#options.changes.add('created', path);
      const isDirectory = kind === 'directory' || (kind === 'unknown' && (await lstat(path)).isDirectory());
      if (isDirectory && directory.child(name) === undefined)
        found.push(new WatchedDirectory(name, directory));
    }
    return found;
  }
}

interface ScanMode {
  readonly reportsEntries: boolean;
  /** The first scan: a failure is the caller's, who is not yet watching. */
  readonly isStrict: boolean;
}
