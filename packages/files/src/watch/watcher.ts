// The interface of a file watcher: this process, or a helper inside a sandbox.
import type { NativePath } from '../native-path.js';

/** Where the changes of one watch go. */
export interface ChangeSink {
  add(kind: 'created' | 'modified' | 'removed', path: NativePath): void;
  /** Follows `add('removed', previousPath)`. */
  rename(previousPath: NativePath, path: NativePath): void;
  /** Changes were lost; what is added until `overflow` may name wrong paths. */
  losing(): void;
  /** Changes were lost, and from here on none is: a client that mirrors the tree reads it again. */
  overflow(): void;
}

export interface WatchTarget {
  readonly path: NativePath;
  readonly recursive: boolean;
  readonly maxDirectories: number;
  readonly changes: ChangeSink;
}

export interface ActiveWatch {
  /** Idempotent; nothing is reported afterwards. */
  end(): void;
}

export interface MissingPaths {
  readonly missing: readonly NativePath[];
  /** An entry that is there: its change or end counts too. */
  readonly present: NativePath | undefined;
}

export interface Watcher {
  /** Resolves when everything that is there is watched. */
  watch(target: WatchTarget): Promise<ActiveWatch>;
  /** Undefined when there is nothing to wait for. `onChange` is called at most once, and the watch is over then. */
  watchMissing(paths: MissingPaths, onChange: () => void): Promise<ActiveWatch | undefined>;
}
