// The watcher of the server itself, with one inotify instance: it sees everything that the server does.
import { stat } from '../local/calls/fs-calls.js';
import { nameOf, parentOf, trimTrailingSlashes } from '../native-path.js';
import { watchMissing } from './missing-watch.js';
import { everyPlace } from './missing-watch-plan.js';
import { WatchHub } from './watch-hub.js';
import { wholeDisk } from './watch-scope.js';
import { WatchedTree } from './watched-tree.js';
import type { ActiveWatch, MissingPaths, Watcher, WatchTarget } from './watcher.js';

export class LocalWatcher implements Watcher {
  readonly #hub: WatchHub;

  /** `program` is codex-launcher; without it nothing can be watched. */
  constructor(program: string | undefined) {
    this.#hub = new WatchHub(program);
  }

  async watch(target: WatchTarget): Promise<ActiveWatch> {
    const path = trimTrailingSlashes(target.path);
    const isDirectory = (await stat(path)).isDirectory();
    const shared = { ...target, hub: this.#hub, scope: wholeDisk };
    const onlyName = nameOf(path);
    const tree =
      isDirectory || onlyName === undefined
        ? new WatchedTree({ ...shared, directory: path })
        : new WatchedTree({ ...shared, directory: parentOf(path), onlyName, recursive: false });
    await tree.start();
    return tree;
  }

  watchMissing(paths: MissingPaths, onChange: () => void): Promise<ActiveWatch | undefined> {
    return watchMissing({ hub: this.#hub, view: everyPlace, paths, onChange });
  }
}
