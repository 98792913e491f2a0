// Coalesces the changes of one watch over a short time, within a bound, and hands them out when the transport has room.
// Changes that do not fit are dropped together and reported as an overflow, never in silence.

import type { ChangeSink } from '@codex/exec-files';
import { type NativePath, pathKey } from '@codex/exec-files';
import { encodeNotification, type FsChange, type WireMessage } from '@codex/exec-protocol';
import type { BulkHandle, BulkSource } from '@codex/exec-rpc';

export interface ChangeBatchOptions {
  readonly watchId: string;
  readonly formatPath: (path: NativePath) => string;
  readonly addBulkSource: (source: BulkSource) => BulkHandle;
}

interface Change {
  readonly kind: FsChange['kind'];
  readonly path: NativePath;
  readonly previousPath?: NativePath;
}

const JOIN_MS = 10;
const CHANGES_PER_MESSAGE = 2000;
const MAX_PENDING = 100_000;

export class ChangeBatch implements BulkSource, ChangeSink {
  readonly #options: ChangeBatchOptions;
  readonly #bulk: BulkHandle;
  #changes: Change[] = [];
  /** The last pending change of each path. */
  readonly #latest = new Map<string, Change>();
  #hasOverflow = false;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  #isEnded = false;

  constructor(options: ChangeBatchOptions) {
    this.#options = options;
    this.#bulk = options.addBulkSource(this);
  }

  add(kind: 'created' | 'modified' | 'removed', path: NativePath): void {
    const latest = this.#latest.get(pathKey(path))?.kind;
    // A modification of what is new or modified anyway, and a repetition, say nothing.
    if (latest === kind || (kind === 'modified' && latest === 'created')) return;
    this.#push({ kind, path });
  }

  /**
   * Turns the removal that was reported last into a rename. When it is on its way already, or something else was
   * reported since, the new path is reported as created, which says the same in two changes.
   */
  rename(previousPath: NativePath, path: NativePath): void {
    const last = this.#changes.at(-1);
    const isJoinable = last?.kind === 'removed' && pathKey(last.path) === pathKey(previousPath);
    if (!isJoinable) {
      this.add('created', path);
      return;
    }
    this.#changes.pop();
    this.#push({ kind: 'renamed', path, previousPath });
  }

  /** The overflow that follows says it. */
  losing(): void {}

  overflow(): void {
    this.#hasOverflow = true;
    this.#schedule();
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#bulk.remove();
  }

  next(): WireMessage | undefined {
    const hasNothing = this.#changes.length === 0 && !this.#hasOverflow;
    if (!this.#isReady || hasNothing || this.#isEnded) {
      this.#isReady = false;
      return undefined;
    }
    const taken = this.#changes.splice(0, CHANGES_PER_MESSAGE);
    for (const change of taken) this.#forget(change);
    const overflow = this.#hasOverflow;
    this.#hasOverflow = false;
    return encodeNotification('fs/changed', {
      watchId: this.#options.watchId,
      changes: taken.map((change) => this.#format(change)),
      ...(overflow ? { overflow } : {}),
    });
  }

  #push(change: Change): void {
    if (this.#changes.length >= MAX_PENDING) {
      this.#changes = [];
      this.#latest.clear();
      this.#hasOverflow = true;
    }
    this.#changes.push(change);
    for (const path of pathsOf(change)) this.#latest.set(pathKey(path), change);
    this.#schedule();
  }

  /** What was sent says nothing about what happens to its path from now on; a later change of it may still wait. */
  #forget(change: Change): void {
    for (const path of pathsOf(change)) {
      const key = pathKey(path);
      if (this.#latest.get(key) === change) this.#latest.delete(key);
    }
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isReady || this.#isEnded) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#isReady = true;
      this.#bulk.wake();
    }, JOIN_MS);
  }

  #format({ kind, path, previousPath }: Change): FsChange {
    const { formatPath } = this.#options;
    return {
      path: formatPath(path),
      kind,
      ...(previousPath === undefined ? {} : { previousPath: formatPath(previousPath) }),
    };
  }
}

function pathsOf({ path, previousPath }: Change): NativePath[] {
  return previousPath === undefined ? [path] : [previousPath, path];
}
