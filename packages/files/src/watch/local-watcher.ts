// The watcher of the server itself, with one inotify instance: it sees everything that the server does.
import type { FileCalls } from '../local/calls/file-calls.js';
import { nameOf, parentOf, trimTrailingSlashes } from '../native-path.js';
import { watchMissing } from './missing-watch.js';
import { everyPlace } from './missing-watch-plan.js';
import { WatchHub } from './watch-hub.js';
import { wholeDisk } from './watch-scope.js';
import { WatchedTree } from './watched-tree.js';
import type { ActiveWatch, MissingPaths, Watcher, WatchTarget } from './watcher.js';

export class LocalWatcher implements Watcher {
  readonly #calls: FileCalls;
  readonly #hub: WatchHub;

  /** `program` is codex-launcher; without it nothing can be watched. */
  constructor(calls: FileCalls, program: string | undefined) {
    this.#calls = calls;
    this.#hub = new WatchHub(program);
  }

  async watch(target: WatchTarget): Promise<ActiveWatch> {
    const path = trimTrailingSlashes(target.path);
    const isDirectory = (await this.#calls.stat(path)).isDirectory();
    const shared = { ...target, calls: this.#calls, hub: this.#hub, scope: wholeDisk };
    const onlyName = nameOf(path);
    const tree =
      isDirectory || onlyName === undefined
        ? new WatchedTree({ ...shared, directory: path })
        : new WatchedTree({ ...shared, directory: parentOf(path), onlyName, recursive: false });
    await tree.start();
    return tree;
  }

  watchMissing(paths: MissingPaths, onChange: () => void): Promise<ActiveWatch | undefined> {
    return watchMissing({ hub: this.#hub, view: everyPlace(this.#calls), paths, onChange });
  }
}
