// The `fs/watch` registrations of one connection, by the ids its client chose. They end with the connection.

import type { ActiveWatch, FsLimits, NativePath, Watcher } from '@codex/exec-files';
import { invalidInput } from '@codex/exec-files';
import type { BulkHandle, BulkSource } from '@codex/exec-rpc';
import { ChangeBatch } from './change-batch.js';

export interface WatchRequest {
  readonly watchId: string;
  readonly path: NativePath;
  readonly recursive: boolean;
  readonly formatPath: (path: NativePath) => string;
  /** Where not the server itself watches. */
  readonly watcher?: Watcher | undefined;
}

/** An id that is taken; the watch is missing while it is being set up. */
interface Registration {
  readonly changes: ChangeBatch;
  watch?: ActiveWatch;
}

export interface WatchesOptions {
  readonly limits: FsLimits;
  /** For requests without a sandbox. */
  readonly localWatcher: Watcher;
  readonly addBulkSource: (source: BulkSource) => BulkHandle;
}

const MAX_ID_LENGTH = 256;

export class Watches {
  readonly #limits: FsLimits;
  readonly #addBulkSource: (source: BulkSource) => BulkHandle;
  readonly #local: Watcher;
  readonly #registrations = new Map<string, Registration>();

  constructor({ limits, localWatcher, addBulkSource }: WatchesOptions) {
    this.#limits = limits;
    this.#addBulkSource = addBulkSource;
    this.#local = localWatcher;
  }

  async add(request: WatchRequest): Promise<void> {
    const { watchId, formatPath, watcher = this.#local } = request;
    this.#assertFree(watchId);
    const changes = new ChangeBatch({ watchId, formatPath, addBulkSource: this.#addBulkSource });
    const registration: Registration = { changes };
    this.#registrations.set(watchId, registration);
    try {
      const { path, recursive } = request;
      const maxDirectories = this.#limits.maxWatchedDirectories;
      registration.watch = await watcher.watch({ path, recursive, maxDirectories, changes });
      if (this.#registrations.get(watchId) !== registration) registration.watch.end();
    } catch (error) {
      if (this.#registrations.get(watchId) === registration) this.remove(watchId);
      throw error;
    }
  }

  /** Idempotent, like closing a handle. */
  remove(watchId: string): void {
    const registration = this.#registrations.get(watchId);
    registration?.watch?.end();
    registration?.changes.end();
    this.#registrations.delete(watchId);
  }

  end(): void {
    for (const watchId of [...this.#registrations.keys()]) this.remove(watchId);
  }

  #assertFree(watchId: string): void {
    const { maxWatches } = this.#limits;
    if (watchId.length > MAX_ID_LENGTH) {
      throw invalidInput(`watch ID must not exceed ${MAX_ID_LENGTH} characters`);
    }
    if (this.#registrations.has(watchId)) throw invalidInput(`watch \`${watchId}\` already exists`);
    if (this.#registrations.size >= maxWatches) {
      throw invalidInput(`at most ${maxWatches} watches may be set per connection`);
    }
  }
}
