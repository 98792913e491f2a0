// What any call of a server could write so far. Calls come with sandboxes of their own: what one of them has written, or
// writes in the background, must not be trusted in another that happens not to write there.
// What it does not stop: what was written before this server was started.
import type { Trust } from './program-trust.js';
import type { WritablePlaces } from './writable-places.js';

/** Different sandboxes. Each is asked about every program that may leave. */
const MOST = 512;

export class EverWritable {
  readonly #calls = new Map<string, WritablePlaces>();
  #hasTooMany = false;

  /** Before anything of the call runs. */
  add(places: WritablePlaces): void {
    if (this.#calls.has(places.key)) return;
    if (this.#calls.size >= MOST) this.#hasTooMany = true;
    else this.#calls.set(places.key, places);
  }

  /** Whether it is still known what could be written. */
  get isKnown(): Trust {
    if (!this.#hasTooMany) return { isTrusted: true };
    return { isTrusted: false, reason: `this server has had more than ${MOST} different sandboxes` };
  }

  isWritable(path: string): boolean {
    return this.#some(({ isWritable }) => isWritable(path));
  }

  isWritableAnywhere(path: string): boolean {
    return this.#some(({ isWritableAnywhere }) => isWritableAnywhere(path));
  }

  get devices(): ReadonlySet<number> {
    return new Set([...this.#calls.values()].flatMap(({ devices }) => [...devices]));
  }

  #some(test: (places: WritablePlaces) => boolean): boolean {
    return [...this.#calls.values()].some(test);
  }
}
