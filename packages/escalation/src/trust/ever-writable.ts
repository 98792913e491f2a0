// What commands of this server have been able to change so far, in whichever sandbox: a later call with a stricter one must not
// trust what an earlier one wrote, or what its children in the background still write.
// What it does not stop: what was written before this server was started.
import { dirname } from 'node:path';
import type { MountedNames } from '@codex/sandbox';
import { withoutLinks } from '../without-links.js';
import type { Trust } from './program-trust.js';
import type { LocatedPlaces, WritablePlaces } from './writable-places.js';

/** Different sandboxes. Each is asked about every program that may leave. */
const MOST = 512;

export class EverWritable implements WritablePlaces {
  readonly #places = new Map<string, LocatedPlaces>();
  readonly #readNames: () => MountedNames;
  #names: MountedNames;
  #hasTooMany = false;
  #version = 0;

  constructor(readNames: () => MountedNames) {
    this.#readNames = readNames;
    this.#names = readNames();
  }

  /** What is mounted where, as it is when a call begins. */
  lookAtMounts(): void {
    this.#names = this.#readNames();
    this.#version += 1;
  }

  /** Before anything of the call runs. */
  add(places: LocatedPlaces): void {
    if (this.#places.has(places.key)) return;
    this.#version += 1;
    if (this.#places.size >= MOST) this.#hasTooMany = true;
    else this.#places.set(places.key, places);
  }

  /** Another number when something else may be writable than before: calls beside each other see what the others add. */
  get version(): number {
    return this.#version;
  }

  /** Whether it is still known what could be written. */
  get isKnown(): Trust {
    if (!this.#hasTooMany) return { isTrusted: true };
    return { isTrusted: false, reason: `this server has had more than ${MOST} different sandboxes` };
  }

  /** Every name of what is at this path, which may have links. */
  namesOf(path: string): readonly string[] {
    return this.#names.of(withoutLinks(path));
  }

  readonly isWritable = (path: string): boolean =>
    this.#names.of(path).some((name) => this.#some((places) => places.isWritable(name)));

  readonly isWritableAnywhere = (path: string): boolean => {
    for (let at = path; ; at = dirname(at)) {
      if (this.#some((places) => places.isWritable(at))) return true;
      if (at === '/' || at === '.') break;
    }
    return this.isWritable(withoutLinks(path));
  };

  get devices(): ReadonlySet<number> {
    return new Set([...this.#places.values()].flatMap(({ devices }) => [...devices]));
  }

  #some(holds: (places: LocatedPlaces) => boolean): boolean {
    return [...this.#places.values()].some(holds);
  }
}
