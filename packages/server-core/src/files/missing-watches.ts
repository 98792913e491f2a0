// The `fs/watchMissing` of one connection: at most one at a time, the newest by its number.

import type { ActiveWatch, MissingPaths, Watcher } from '@codex/exec-files';

export interface MissingRequest extends MissingPaths {
  readonly watchId: number;
  /** Where not the server itself watches. */
  readonly watcher?: Watcher | undefined;
}

/** A change is told from `tell` on, also one that came before. */
export class MissingNotice {
  #onChange: (() => void) | undefined;
  #hasChanged = false;

  changed(): void {
    this.#hasChanged = true;
    this.#onChange?.();
  }

  tell(onChange: () => void): void {
    this.#onChange = onChange;
    if (this.#hasChanged) onChange();
  }
}

export class MissingWatches {
  readonly #local: Watcher;
  #lastId = -1;
  #current: ActiveWatch | undefined;

  /** `localWatcher` is for requests without a sandbox. */
  constructor(localWatcher: Watcher) {
    this.#local = localWatcher;
  }

  /** Undefined when there is nothing to wait for. */
  async add({ watchId, watcher, ...paths }: MissingRequest): Promise<MissingNotice | undefined> {
    if (watchId <= this.#lastId) return undefined;
    this.#lastId = watchId;
    this.#replaceBy(undefined);
    const notice = new MissingNotice();
    const isCurrent = () => this.#lastId === watchId;
    const watch = await (watcher ?? this.#local).watchMissing(paths, () => isCurrent() && notice.changed());
    if (watch === undefined) return undefined;
    if (!isCurrent()) {
      watch.end();
      return undefined;
    }
    this.#replaceBy(watch);
    return notice;
  }

  end(): void {
    this.#lastId = Number.POSITIVE_INFINITY;
    this.#replaceBy(undefined);
  }

  #replaceBy(watch: ActiveWatch | undefined): void {
    this.#current?.end();
    this.#current = watch;
  }
}
