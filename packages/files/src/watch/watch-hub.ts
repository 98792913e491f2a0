// The watches of one connection on one inotify instance. Kernel watches are per directory: two trees that cover one
// directory share its watch, and both get its events.

import { INOTIFY } from '@codex/launcher/watch';
import { isErrno, otherError } from '../fs-error.js';
import type { NativePath } from '../native-path.js';
import { type InotifyEvent, InotifyRelay } from './inotify-relay.js';
import type { WatchedDirectory } from './watched-directory.js';

export interface HubMember {
  handle(directory: WatchedDirectory, event: InotifyEvent): void;
  /** The kernel watches are gone; `overflowed` follows when they can be set again. */
  lost(): void;
  /** Events were lost. */
  overflowed(): void;
}

/** A receiver of the events of a directory. */
export interface WatchOwner {
  readonly member: HubMember;
  readonly directory: WatchedDirectory;
}

const EVENTS =
  INOTIFY.modify |
  INOTIFY.attrib |
  INOTIFY.movedFrom |
  INOTIFY.movedTo |
  INOTIFY.create |
  INOTIFY.delete |
  INOTIFY.deleteSelf |
  INOTIFY.moveSelf;

/** A helper that ends sooner than this after its start is started again only then. */
const MIN_LIFE_MS = 1000;

const UNAVAILABLE =
  'fs/watch needs the native launcher, which is there on Linux only; exec-server doctor says more';

export class WatchHub {
  readonly #program: string | undefined;
  readonly #members = new Set<HubMember>();
  readonly #owners = new Map<number, Set<WatchOwner>>();
  #relay: InotifyRelay | undefined;
  #startedAt = 0;
  #restart: NodeJS.Timeout | undefined;

  constructor(program: string | undefined) {
    this.#program = program;
  }

  join(member: HubMember): void {
    this.#members.add(member);
  }

  leave(member: HubMember): void {
    this.#members.delete(member);
    if (this.#members.size > 0) return;
    clearTimeout(this.#restart);
    this.#relay?.close();
    this.#relay = undefined;
    this.#owners.clear();
  }

  /**
   * `path` leads to the directory. Only the root of a tree is reached through links. A directory that is watched already
   * and has become another one is watched anew.
   */
  async attach(owner: WatchOwner, path: NativePath, kind: 'directory' | 'file' = 'directory'): Promise<void> {
    const { directory } = owner;
    const link = directory.isRoot ? 0 : INOTIFY.dontFollow;
    const mask = EVENTS | link | (kind === 'directory' ? INOTIFY.onlyDirectory : 0);
    try {
      await this.#running().add(path, mask, (watch) => {
        if (directory.watch === watch) return;
        this.detach(directory);
        directory.watch = watch;
        const owners = this.#owners.get(watch) ?? new Set();
        owners.add(owner);
        this.#owners.set(watch, owners);
      });
    } catch (error) {
      if (!isErrno(error, 'ENOSPC')) throw error;
      throw otherError('the limit on file watches is reached; raise fs.inotify.max_user_watches');
    }
  }

  detach(directory: WatchedDirectory): void {
    const { watch } = directory;
    if (watch === undefined) return;
    directory.watch = undefined;
    const owners = this.#owners.get(watch);
    for (const owner of owners ?? []) if (owner.directory === directory) owners?.delete(owner);
    if (owners?.size !== 0) return;
    this.#owners.delete(watch);
    this.#relay?.remove(watch);
  }

  #running(): InotifyRelay {
    if (this.#relay !== undefined) return this.#relay;
    if (this.#program === undefined || process.platform !== 'linux') throw otherError(UNAVAILABLE);
    this.#startedAt = performance.now();
    try {
      this.#relay = new InotifyRelay(this.#program, {
        event: (event) => this.#dispatch(event),
        lost: () => this.#lost(),
      });
    } catch (error) {
      this.#restartLater();
      throw error;
    }
    return this.#relay;
  }

  #dispatch(event: InotifyEvent): void {
    if (event.mask & INOTIFY.overflow) {
      for (const member of this.#members) member.overflowed();
      return;
    }
    const owners = this.#owners.get(event.watch);
    if (owners === undefined) return;
    if (event.mask & INOTIFY.ignored) {
      this.#owners.delete(event.watch);
      for (const { directory } of owners) if (directory.watch === event.watch) directory.watch = undefined;
      return;
    }
    for (const { member, directory } of [...owners]) member.handle(directory, event);
  }

  #lost(): void {
    this.#relay = undefined;
    this.#owners.clear();
    for (const member of this.#members) member.lost();
    this.#restartLater();
  }

  #restartLater(): void {
    clearTimeout(this.#restart);
    const wait = MIN_LIFE_MS - (performance.now() - this.#startedAt);
    this.#restart = setTimeout(
      () => {
        for (const member of this.#members) member.overflowed();
      },
      Math.max(wait, 0),
    ).unref();
  }
}
