// The directories of a tree, held open while entries in them are read or written. Each is opened in its parent without
// following a link, so an entry lies below the root whatever happens to names meanwhile.
// What it does not stop: a directory that is moved out of the tree while it is held stays held.
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { OpenDirectory } from '../paths/open-directory.js';

/** Few enough to leave descriptors for others; entries come sorted, so old ones are not wanted again. */
const MAX_HELD = 64;

export class HeldDirectories {
  readonly #calls: FileCalls;
  readonly #root: NativePath;
  readonly #held = new Map<string, Promise<OpenDirectory>>();

  constructor(calls: FileCalls, root: NativePath) {
    this.#calls = calls;
    this.#root = root;
  }

  /** Good until the next call of `makeRoom` or `close`. */
  get(names: readonly string[]): Promise<OpenDirectory> {
    const key = names.join('/');
    const held = this.#held.get(key);
    if (held !== undefined) return held;
    const opened = this.#open(names);
    this.#held.set(key, opened);
    opened.catch(() => this.#held.delete(key));
    return opened;
  }

  /** Between entries, when nothing uses what was got. */
  async makeRoom(): Promise<void> {
    if (this.#held.size >= MAX_HELD) await this.close();
  }

  async close(): Promise<void> {
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const directory of held) await directory.then((open) => open.close()).catch(() => undefined);
  }

  async #open(names: readonly string[]): Promise<OpenDirectory> {
    const name = names.at(-1);
    if (name === undefined) return OpenDirectory.open(this.#calls, this.#root, 'search');
    return (await this.get(names.slice(0, -1))).openChild(name, 'search');
  }
}
