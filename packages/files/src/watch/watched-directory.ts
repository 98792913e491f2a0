// A directory that is watched, as a node of the tree it belongs to: its path follows from its place, so a rename moves
// it with all below it.
import { joinName, type NativePath, pathKey } from '../native-path.js';

export class WatchedDirectory {
  /** The number of its inotify watch, once there is one. */
  watch: number | undefined;
  readonly children = new Map<string, WatchedDirectory>();
  #parent: WatchedDirectory | undefined;
  #name: NativePath;

  constructor(name: NativePath, parent?: WatchedDirectory) {
    this.#name = name;
    this.#parent = parent;
    parent?.children.set(pathKey(name), this);
  }

  get path(): NativePath {
    return this.#parent === undefined ? this.#name : joinName(this.#parent.path, this.#name);
  }

  get isRoot(): boolean {
    return this.#parent === undefined;
  }

  entry(name: NativePath): NativePath {
    return joinName(this.path, name);
  }

  child(name: NativePath): WatchedDirectory | undefined {
    return this.children.get(pathKey(name));
  }

  /** Whether it still has its place in the tree of `root`. */
  isBelow(root: WatchedDirectory): boolean {
    if (this === root) return true;
    const parent = this.#parent;
    return parent !== undefined && parent.child(this.#name) === this && parent.isBelow(root);
  }

  moveTo(parent: WatchedDirectory, name: NativePath): void {
    this.leave();
    this.#parent = parent;
    this.#name = name;
    parent.children.set(pathKey(name), this);
  }

  leave(): void {
    if (this.#parent?.child(this.#name) === this) this.#parent.children.delete(pathKey(this.#name));
  }

  /** Itself and all below. */
  *all(): Generator<WatchedDirectory> {
    yield this;
    for (const child of this.children.values()) yield* child.all();
  }
}
