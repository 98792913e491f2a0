// A file that is watched itself, because the directory it lies in is hidden by the policy. A replacement is not seen
// from here: the old file tells that it lost its name, and the server finds another file in the granted place.

import { INOTIFY } from '@codex/launcher/watch';
import type { NativePath } from '../../native-path.js';
import type { InotifyEvent } from '../../watch/inotify-relay.js';
import type { HubMember, WatchHub } from '../../watch/watch-hub.js';
import type { WatchScope } from '../../watch/watch-scope.js';
import { WatchedDirectory } from '../../watch/watched-directory.js';
import type { ActiveWatch, ChangeSink } from '../../watch/watcher.js';

export interface WatchedFileOptions {
  readonly hub: WatchHub;
  readonly scope: WatchScope;
  readonly changes: ChangeSink;
  readonly path: NativePath;
}

export class WatchedFile implements HubMember, ActiveWatch {
  readonly #options: WatchedFileOptions;
  readonly #place: WatchedDirectory;

  constructor(options: WatchedFileOptions) {
    this.#options = options;
    this.#place = new WatchedDirectory(options.path);
  }

  async start(): Promise<void> {
    this.#options.hub.join(this);
    try {
      await this.#attach();
    } catch (error) {
      this.end();
      throw error;
    }
  }

  handle(_: WatchedDirectory, { mask }: InotifyEvent): void {
    const isGone = (mask & (INOTIFY.deleteSelf | INOTIFY.moveSelf | INOTIFY.unmount)) !== 0;
    this.#options.changes.add(isGone ? 'removed' : 'modified', this.#options.path);
  }

  lost(): void {
    this.#place.watch = undefined;
    this.#options.changes.losing();
  }

  overflowed(): void {
    const { changes, path } = this.#options;
    this.#attach()
      .catch(() => changes.add('removed', path))
      .finally(() => changes.overflow());
  }

  end(): void {
    this.#options.hub.detach(this.#place);
    this.#options.hub.leave(this);
  }

  #attach(): Promise<void> {
    const { hub, scope } = this.#options;
    const owner = { member: this, directory: this.#place };
    return scope.at(this.#place, (path) => hub.attach(owner, path, 'file'));
  }
}
