// The directories of a tree, held open while entries in them are read or written. Each is opened in its parent without
// following a link, so an entry lies below the root whatever happens to names meanwhile.
// What it does not stop: a directory that is moved out of the tree while it is held stays held.
import { joinName, type NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { OpenDirectory } from '../paths/open-directory.js';

/** Few enough to leave descriptors for others; entries come sorted, so old ones are not wanted again. */
const MAX_HELD = 64;

export class HeldDirectories {
  readonly #calls: FileCalls;
  readonly #root: NativePath;
  readonly #held = new Map<string, Promise<OpenDirectory>>();
  /** Those of them that are open by now. */
  readonly #open = new Map<string, OpenDirectory>();

  constructor(calls: FileCalls, root: NativePath) {
    this.#calls = calls;
    this.#root = root;
  }

  /** Good until the next call of `makeRoom` or `close`. */
  get(names: readonly string[]): Promise<OpenDirectory> {
    const key = names.join('/');
    const held = this.#held.get(key);
    if (held !== undefined) return held;
    const opened = this.#openChild(names);
    this.#held.set(key, opened);
    opened.then(
      (directory) => {
        if (this.#held.get(key) === opened) this.#open.set(key, directory);
      },
      () => void this.#held.delete(key),
    );
    return opened;
  }

  /** The same without a promise; undefined where that is not possible. */
  getQuickly(path: string): OpenDirectory | undefined {
    const open = this.#open.get(path);
    if (open !== undefined || this.#held.has(path)) return open;
    const opened = this.#openQuickly(path);
    if (opened === undefined) return undefined;
    this.#open.set(path, opened);
    this.#held.set(path, Promise.resolve(opened));
    return opened;
  }

  get isFull(): boolean {
    return this.#held.size >= MAX_HELD;
  }

  /** Between entries, when nothing uses what was got. */
  async makeRoom(): Promise<void> {
    if (this.isFull) await this.close();
  }

  async close(): Promise<void> {
    const held = [...this.#held.values()];
    this.#held.clear();
    this.#open.clear();
    for (const directory of held) await directory.then((open) => open.close()).catch(() => undefined);
  }

  #openQuickly(path: string): OpenDirectory | undefined {
    const access = 'search';
    if (path === '')
      return OpenDirectory.openQuickly(this.#calls, { path: this.#root, place: this.#root, access });
    const slash = path.lastIndexOf('/');
    const place = this.getQuickly(path.slice(0, Math.max(0, slash)))?.entry(path.slice(slash + 1));
    if (place === undefined) return undefined;
    return OpenDirectory.openQuickly(this.#calls, { path: joinName(this.#root, path), place, access });
  }

  async #openChild(names: readonly string[]): Promise<OpenDirectory> {
    const name = names.at(-1);
    if (name === undefined) return OpenDirectory.open(this.#calls, this.#root, 'search');
    return (await this.get(names.slice(0, -1))).openChild(name, 'search');
  }
}
