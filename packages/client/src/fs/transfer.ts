// A transfer in progress: await it for its end, or iterate it for progress. Leaving the iteration does not stop it.

import type { Clock } from '@codex/exec-protocol';
import { systemClock } from '@codex/exec-rpc';

export interface Progress {
  readonly bytes: number;
  readonly totalBytes?: number;
  readonly bytesPerSecond: number;
  /** Of a tree: files that are there, or begun. */
  readonly files?: number;
  readonly totalFiles?: number;
  /** The last of them, relative to the root. */
  readonly path?: string;
}

/** Through these a transfer says how far it is. */
export interface TransferReport {
  bytes(count: number): void;
  file(path: string): void;
  total(total: { readonly bytes: number; readonly files?: number }): void;
}

export interface TransferJob<T> {
  readonly totalBytes?: number;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  work(signal: AbortSignal, report: TransferReport): Promise<T>;
}

export class Transfer<T = void> implements PromiseLike<T>, AsyncIterable<Progress> {
  readonly #abort = new AbortController();
  readonly #done: Promise<T>;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  #totalBytes: number | undefined;
  #files: number | undefined;
  #totalFiles: number | undefined;
  #path: string | undefined;
  #hasSettled = false;

  constructor(job: TransferJob<T>) {
    this.#clock = job.clock ?? systemClock;
    this.#startedAt = this.#clock.now();
    this.#totalBytes = job.totalBytes;
    const signal =
      job.signal === undefined ? this.#abort.signal : AbortSignal.any([this.#abort.signal, job.signal]);
    this.#done = job.work(signal, this.#report()).finally(() => {
      this.#hasSettled = true;
      this.#wake();
    });
    // A caller that only iterates learns of a failure there.
    this.#done.catch(() => undefined);
  }

  // biome-ignore lint/suspicious/noThenProperty: a transfer is awaited for its end.
  then<A = T, B = never>(
    onDone?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#done.then(onDone, onError);
  }

  #report(): TransferReport {
    return {
      bytes: (count) => {
        this.#bytes += count;
        this.#wake();
      },
      file: (path) => {
        this.#files = (this.#files ?? 0) + 1;
        this.#path = path;
        this.#wake();
      },
      total: ({ bytes, files }) => {
        this.#totalBytes = bytes;
        this.#totalFiles = files;
      },
    };
  }

  get progress(): Progress {
    const seconds = (this.#clock.now() - this.#startedAt) / 1000;
    return {
      bytes: this.#bytes,
      ...(this.#totalBytes === undefined ? {} : { totalBytes: this.#totalBytes }),
      bytesPerSecond: seconds > 0 ? this.#bytes / seconds : 0,
      ...(this.#files === undefined ? {} : { files: this.#files }),
      ...(this.#totalFiles === undefined ? {} : { totalFiles: this.#totalFiles }),
      ...(this.#path === undefined ? {} : { path: this.#path }),
    };
  }

  abort(reason?: unknown): void {
    this.#abort.abort(reason);
  }

  /** Progress whenever there is some, at last the final one; throws what made the transfer fail. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Progress, void, undefined> {
    while (!this.#isOver()) {
      yield this.progress;
      if (!this.#isOver()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
    await this.#done;
    yield this.progress;
  }

  #isOver(): boolean {
    return this.#hasSettled;
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
