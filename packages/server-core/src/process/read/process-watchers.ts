// The observers of one process. Without any, a change of it costs one check.

export interface ProcessWatcher {
  /** Something was added to the log, or the terminal has another size. Called for every block: it only takes a note. */
  changed(): void;
  /** The server is about to let go of the process. What is to be had of it has to be taken before this returns. */
  forgotten(reason: 'forgotten' | 'sessionEnded'): void;
}

export class ProcessWatchers {
  /** Most processes never have any. */
  #watchers: Set<ProcessWatcher> | undefined;

  get size(): number {
    return this.#watchers?.size ?? 0;
  }

  add(watcher: ProcessWatcher): void {
    this.#watchers ??= new Set();
    this.#watchers.add(watcher);
  }

  delete(watcher: ProcessWatcher): void {
    this.#watchers?.delete(watcher);
  }

  changed(): void {
    if (this.#watchers === undefined) return;
    for (const watcher of this.#watchers) watcher.changed();
  }

  forgotten(reason: 'forgotten' | 'sessionEnded'): void {
    const watchers = this.#watchers;
    this.#watchers = undefined;
    for (const watcher of watchers ?? []) watcher.forgotten(reason);
  }
}
