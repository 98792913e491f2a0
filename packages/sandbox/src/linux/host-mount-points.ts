// Mount points on the host for names that do not exist there. A mount needs something to lie on, so for the time of a
// command an empty directory stands where the protected name is missing.
import { occupy, occupyAtOnce, vacate, vacateAtOnce } from './mount-point-files.js';
import { isUsedHere } from './mount-point-marks.js';
import { QuickDisk } from './quick-disk.js';

/** Counts the uses of this process; the file system counts the processes. In order for each path. */
export class HostMountPoints {
  readonly #uses = new Map<string, number>();
  readonly #work = new Map<string, Promise<void>>();
  readonly #disk: QuickDisk;

  constructor(disk = new QuickDisk()) {
    this.#disk = disk;
  }

  async claim(path: string): Promise<void> {
    const uses = this.#uses.get(path) ?? 0;
    this.#uses.set(path, uses + 1);
    try {
      if (uses > 0) await this.#work.get(path);
      // Somebody may have removed it meanwhile; bubblewrap would then make one that nobody recognises afterwards.
      if (uses > 0 && isUsedHere(path)) return;
      if (!this.#work.has(path) && this.#disk.change(() => occupyAtOnce(path))) return;
      await this.#enqueue(path, () => occupy(path));
    } catch (error) {
      await this.release(path);
      throw error;
    }
  }

  async release(path: string): Promise<void> {
    const uses = (this.#uses.get(path) ?? 0) - 1;
    if (uses > 0) {
      this.#uses.set(path, uses);
      return;
    }
    this.#uses.delete(path);
    if (!this.#work.has(path) && this.#disk.change(() => vacateAtOnce(path))) return;
    await this.#enqueue(path, async () => {
      if (!this.#uses.has(path)) await vacate(path);
    });
  }

  #enqueue(path: string, task: () => Promise<void>): Promise<void> {
    const done = (this.#work.get(path) ?? Promise.resolve()).catch(() => undefined).then(task);
    this.#work.set(path, done);
    const forget = (): void => {
      if (this.#work.get(path) === done) this.#work.delete(path);
    };
    done.then(forget, forget);
    return done;
  }
}
