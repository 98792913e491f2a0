// Mount points on the host for names that do not exist there. A mount needs something to lie on, so for the time of a
// command an empty directory stands where the protected name is missing.
import {
  type HostPlace,
  isUsedHere,
  occupy,
  occupyAtOnce,
  vacate,
  vacateAtOnce,
} from './mount-point-directory.js';
import { QuickDisk } from './quick-disk.js';
import { SharedMark } from './shared-mark.js';

/** Counts the uses of this process; the file system counts the processes. In order for each place. */
export class MountPointUses {
  readonly #uses = new Map<string, number>();
  readonly #work = new Map<string, Promise<unknown>>();
  readonly #disk: QuickDisk;

  constructor(disk = new QuickDisk()) {
    this.#disk = disk;
  }

  /** All of one command; what was claimed is told for each, in order. */
  async claimAll(places: readonly HostPlace[]): Promise<PromiseSettledResult<void>[]> {
    const mark = new SharedMark();
    const claims = places.map((place) => this.#claim(place, mark));
    mark.close(); // what is made at once is made by now
    return Promise.allSettled(claims);
  }

  async claim(place: HostPlace): Promise<void> {
    const [claim] = await this.claimAll([place]);
    if (claim?.status === 'rejected') throw claim.reason;
  }

  async #claim(place: HostPlace, mark: SharedMark): Promise<void> {
    const key = keyOf(place);
    const uses = this.#uses.get(key) ?? 0;
    this.#uses.set(key, uses + 1);
    try {
      if (uses > 0) await this.#work.get(key);
      // Another process may have removed it meanwhile; bubblewrap would then make one without a mark.
      if (uses > 0 && isUsedHere(place)) return;
      if (!this.#work.has(key) && this.#disk.change(() => occupyAtOnce(place, mark))) return;
      await this.#enqueue(key, () => occupy(place));
    } catch (error) {
      await this.release(place);
      throw error;
    }
  }

  /** Tells what was found in its place, one sentence each. */
  async release(place: HostPlace): Promise<readonly string[]> {
    const key = keyOf(place);
    const uses = (this.#uses.get(key) ?? 0) - 1;
    if (uses > 0) {
      this.#uses.set(key, uses);
      return [];
    }
    this.#uses.delete(key);
    if (!this.#work.has(key) && this.#disk.change(() => vacateAtOnce(place))) return [];
    return this.#enqueue(key, async () => (this.#uses.has(key) ? [] : vacate(place)));
  }

  #enqueue<T>(key: string, task: () => Promise<T>): Promise<T> {
    const done = (this.#work.get(key) ?? Promise.resolve()).catch(() => undefined).then(task);
    this.#work.set(key, done);
    const forget = (): void => {
      if (this.#work.get(key) === done) this.#work.delete(key);
    };
    done.then(forget, forget);
    return done;
  }
}

function keyOf({ directory, name }: HostPlace): string {
  return `${directory.identity}/${name}`;
}
