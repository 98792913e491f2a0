// What commands of this server have been able to change so far, in whichever sandbox: a later call with a stricter one must not trust
// what an earlier one wrote, or what its children in the background still write.
import type { LocatedPlaces, WritablePlaces } from './writable-places.js';

export class EverWritable implements WritablePlaces {
  readonly #places = new Map<string, LocatedPlaces>();

  add(places: LocatedPlaces): void {
    this.#places.set(places.key, places);
  }

  readonly isWritable = (path: string): boolean => this.#some((places) => places.isWritable(path));

  readonly isWritableAnywhere = (path: string): boolean =>
    this.#some((places) => places.isWritableAnywhere(path));

  get devices(): ReadonlySet<number> {
    return new Set([...this.#places.values()].flatMap(({ devices }) => [...devices]));
  }

  #some(holds: (places: WritablePlaces) => boolean): boolean {
    return [...this.#places.values()].some(holds);
  }
}
