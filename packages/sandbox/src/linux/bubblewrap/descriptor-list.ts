// Collects the descriptors that a sandbox wrapper inherits, and hands out the numbers it sees them under. None is open
// yet: the launcher of the wrapper opens them. What is made later takes two numbers and is the last of its list.
import type { FileIdentity, InheritedFd, LaterBytes } from '@codex/launcher';

const firstNumber = 3;

export class DescriptorList {
  readonly #list: InheritedFd[];

  /** Begins with those of another list, under the same numbers. */
  constructor(list: readonly InheritedFd[] = []) {
    this.#list = [...list];
  }

  get list(): readonly InheritedFd[] {
    return this.#list;
  }

  /** The wrapper reads these bytes. */
  addData(data: Uint8Array): number {
    return this.#add((as) => ({ data, as }));
  }

  /** The same for bytes that are made while the wrapper starts; see the launcher's `LaterBytes`. */
  addLater(make: LaterBytes['make']): { readonly data: number; readonly gate: number } {
    const data = this.#next();
    const gate = data + 1;
    this.#list.push({ make, as: data, gate });
    return { data, gate };
  }

  /** The wrapper reads a byte and closes it when its mounts are made. */
  addSettled(): number {
    return this.#add((as) => ({ settled: true, as }));
  }

  /** The wrapper writes here, and its launcher reads. */
  addReport(): number {
    return this.#add((as) => ({ report: true, as }));
  }

  /**
   * A handle on exactly this path, and on what the plan has seen there. A directory that is swapped for a link, or for
   * another directory, between the plan and the mount is an error: what is mounted is what was looked at.
   */
  addPath(path: string, identity: FileIdentity | undefined): number {
    return this.#add((as) => ({ path, as, ...(identity === undefined ? {} : { identity }) }));
  }

  #add(grant: (as: number) => InheritedFd): number {
    const as = this.#next();
    this.#list.push(grant(as));
    return as;
  }

  #next(): number {
    return firstNumber + this.#list.length;
  }
}
