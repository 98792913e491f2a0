// Shares one descriptor among all sandboxes that use the same directory.
import { HeldDirectory } from './held-directory.js';

export class HeldDirectories {
  readonly #held = new Map<string, { readonly directory: HeldDirectory; uses: number }>();

  /** Opens the path anew each time: what is shared is the directory, not the belief that it is still there. */
  hold(path: string): HeldDirectory {
    const opened = HeldDirectory.open(path);
    const key = keyOf(opened);
    const known = this.#held.get(key);
    if (known === undefined) {
      this.#held.set(key, { directory: opened, uses: 1 });
      return opened;
    }
    opened.close();
    known.uses += 1;
    return known.directory;
  }

  release(directory: HeldDirectory): void {
    const key = keyOf(directory);
    const known = this.#held.get(key);
    if (known === undefined) return;
    known.uses -= 1;
    if (known.uses > 0) return;
    this.#held.delete(key);
    known.directory.close();
  }
}

function keyOf({ identity, path }: HeldDirectory): string {
  return `${identity} ${path}`;
}
