// The `fs/watch` registrations of one connection, by the ids its client chose. They end with the connection.
import type { BulkHandle, BulkSource } from '@codex/exec-rpc';
import { stat } from '../fs-calls.js';
import { invalidInput } from '../fs-error.js';
import type { FsLimits } from '../fs-limits.js';
import { type NativePath, nameOf, parentOf } from '../native-path.js';
import { ChangeBatch } from './change-batch.js';
import { WatchHub } from './watch-hub.js';
import { WatchedTree } from './watched-tree.js';

export interface WatchRequest {
  readonly watchId: string;
  readonly path: NativePath;
  readonly recursive: boolean;
  readonly formatPath: (path: NativePath) => string;
}

/** An id that is taken; the tree is missing while it is being set up. */
interface Registration {
  tree?: WatchedTree;
}

export interface WatchesOptions {
  readonly limits: FsLimits;
  /** codex-launcher; without it nothing can be watched. */
  readonly watchProgram: string | undefined;
  readonly addBulkSource: (source: BulkSource) => BulkHandle;
}

const MAX_ID_LENGTH = 256;

export class Watches {
  readonly #limits: FsLimits;
  readonly #addBulkSource: (source: BulkSource) => BulkHandle;
  readonly #hub: WatchHub;
  readonly #registrations = new Map<string, Registration>();

  constructor({ limits, watchProgram, addBulkSource }: WatchesOptions) {
    this.#limits = limits;
    this.#addBulkSource = addBulkSource;
    this.#hub = new WatchHub(watchProgram);
  }

  async add(request: WatchRequest): Promise<void> {
    const { watchId } = request;
    this.#assertFree(watchId);
    const registration: Registration = {};
    this.#registrations.set(watchId, registration);
    try {
      const tree = await this.#createTree(request);
      await tree.start();
      registration.tree = tree;
      if (this.#registrations.get(watchId) !== registration) tree.end();
    } catch (error) {
      if (this.#registrations.get(watchId) === registration) this.#registrations.delete(watchId);
      throw error;
    }
  }

  /** Idempotent, like closing a handle. */
  remove(watchId: string): void {
    this.#registrations.get(watchId)?.tree?.end();
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

  async #createTree({ watchId, path, recursive, formatPath }: WatchRequest): Promise<WatchedTree> {
    const isDirectory = (await stat(path)).isDirectory();
    const changes = new ChangeBatch({ watchId, formatPath, addBulkSource: this.#addBulkSource });
    const shared = { hub: this.#hub, changes, maxDirectories: this.#limits.maxWatchedDirectories };
    const name = nameOf(path);
    if (isDirectory || name === undefined) return new WatchedTree({ ...shared, directory: path, recursive });
    return new WatchedTree({ ...shared, directory: parentOf(path), onlyName: name, recursive: false });
  }
}
