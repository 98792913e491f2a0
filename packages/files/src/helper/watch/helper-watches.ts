// The watches of a helper, by the numbers that the server gave them. They run inside the sandbox, with the inotify
// instance of a process beside the helper that sees no more than the helper does.

import { otherError } from '../../fs-error.js';
import type { WatchNews } from '../../helper-protocol/helper-messages.js';
import { type NativePath, nameOf, parentOf, trimTrailingSlashes } from '../../native-path.js';
import { watchMissing } from '../../watch/missing-watch.js';
import { WatchHub } from '../../watch/watch-hub.js';
import { WatchedTree } from '../../watch/watched-tree.js';
import type { ActiveWatch, MissingPaths } from '../../watch/watcher.js';
import type { PolicyGuard } from '../guard/policy-guard.js';
import { ReportedChanges } from './reported-changes.js';
import { GuardedScope, guardedPlan, isDirectoryHidden } from './watch-places.js';
import { WatchedFile } from './watched-file.js';

export interface HelperWatchesOptions {
  readonly guard: PolicyGuard;
  readonly launcherProgram: string | undefined;
  readonly send: (watch: number, news: WatchNews) => void;
}

export interface HelperWatchTarget {
  readonly path: NativePath;
  readonly recursive: boolean;
  readonly maxDirectories: number;
}

export class HelperWatches {
  readonly #options: HelperWatchesOptions;
  readonly #hub: WatchHub;
  readonly #active = new Map<number, ActiveWatch>();

  constructor(options: HelperWatchesOptions) {
    this.#options = options;
    this.#hub = new WatchHub(options.launcherProgram);
  }

  async add(watch: number, { path: given, ...target }: HelperWatchTarget): Promise<void> {
    const { guard, send } = this.#options;
    const path = trimTrailingSlashes(given);
    const isDirectory = (await guard.calls.stat(path)).isDirectory();
    const scope = new GuardedScope(guard);
    const changes = new ReportedChanges({
      scope,
      send: (news) => {
        if (news.type === 'gone') this.remove(watch);
        send(watch, news);
      },
    });
    const shared = { ...target, calls: guard.calls, hub: this.#hub, scope, changes };
    const onlyName = nameOf(path);
    let member: WatchedTree | WatchedFile;
    if (isDirectory || onlyName === undefined) member = new WatchedTree({ ...shared, directory: path });
    else if (await isDirectoryHidden(guard, parentOf(path))) member = new WatchedFile({ ...shared, path });
    else member = new WatchedTree({ ...shared, directory: parentOf(path), onlyName, recursive: false });
    this.#register(watch, {
      end: () => {
        changes.end();
        member.end();
      },
    });
    await member.start().catch((error: unknown) => {
      this.remove(watch);
      throw error;
    });
  }

  async addMissing(watch: number, paths: MissingPaths): Promise<boolean> {
    const { guard, send } = this.#options;
    const notice = { isGiven: false };
    const found = await watchMissing({
      hub: this.#hub,
      view: guardedPlan(guard),
      paths,
      onChange: () => {
        notice.isGiven = true;
        this.#active.delete(watch);
        send(watch, { type: 'missingChanged' });
      },
    });
    if (found !== undefined && !notice.isGiven) this.#register(watch, found);
    return found !== undefined;
  }

  remove(watch: number): void {
    const active = this.#active.get(watch);
    this.#active.delete(watch);
    active?.end();
  }

  #register(watch: number, active: ActiveWatch): void {
    if (this.#active.has(watch)) throw otherError('the number of a watch is taken');
    this.#active.set(watch, active);
  }
}
