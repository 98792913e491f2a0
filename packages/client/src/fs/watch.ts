// Changes below a path as an iteration. It ends when the loop is left, on dispose, or with the session.

import type { ParamsOf } from '@codex/exec-protocol';
import { abortedError, type ExecServerError } from '../exec-server-error.js';
import { fromFileUri } from '../remote-path.js';
import { newHandleId } from './file-reader.js';
import type { FsContext, FsOptions } from './fs-context.js';
import type { WatchRegistry } from './watch-registry.js';

export interface FsEvent {
  /** `overflow`: changes were missed; look at the tree again. Its path is the watched one. */
  readonly type: 'created' | 'modified' | 'removed' | 'renamed' | 'overflow';
  readonly path: string;
  /** With `renamed`: the path before. */
  readonly previousPath?: string;
}

export interface WatchOptions extends FsOptions {
  readonly recursive?: boolean;
}

/** More than this in waiting becomes one overflow. */
const MAX_PENDING = 10_000;

export class FsWatch implements AsyncIterableIterator<FsEvent>, AsyncDisposable {
  /** Resolves when the server watches: changes from here on are seen. */
  readonly ready: Promise<void>;
  readonly #fs: FsContext;
  readonly #registry: WatchRegistry;
  readonly #params: ParamsOf<'fs/watch'>;
  readonly #path: string;
  #events: FsEvent[] = [];
  #wake: () => void = () => {};
  #isOver = false;
  #error: ExecServerError | undefined;

  constructor(fs: FsContext, registry: WatchRegistry, target: { path: string; options: WatchOptions }) {
    const { path, options } = target;
    this.#fs = fs;
    this.#registry = registry;
    this.#path = fs.absolute(path);
    this.#params = {
      watchId: newHandleId(),
      path: fs.uri(path),
      recursive: options.recursive ?? false,
      ...fs.sandboxOf(options),
    };
    registry.add(this.#params.watchId, {
      changes: (notification) => this.#take(notification),
      reconnected: () => void this.#watchAgain(),
      ended: (error) => this.#end(error),
    });
    const { signal } = options;
    signal?.addEventListener('abort', () => this.#end(abortedError('fs.watch', signal.reason)), {
      once: true,
    });
    this.ready = this.#register();
    this.ready.catch((error: unknown) => this.#end(error as ExecServerError));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<FsEvent, undefined>> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return { value: event, done: false };
      if (this.#error !== undefined) throw this.#error;
      if (this.#isOver) return { value: undefined, done: true };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<FsEvent, undefined>> {
    await this[Symbol.asyncDispose]();
    return { value: undefined, done: true };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver) return;
    this.#end(undefined);
    await this.#fs.link.call('fs/unwatch', { watchId: this.#params.watchId }).catch(() => undefined);
  }

  async #register(): Promise<void> {
    await this.#fs.call('fs/watch', this.#params, { path: this.#path });
  }

  async #watchAgain(): Promise<void> {
    try {
      await this.#register();
      this.#push({ type: 'overflow', path: this.#path });
    } catch (error) {
      this.#end(error as ExecServerError);
    }
  }

  #take({ changes, overflow }: ParamsOf<'fs/changed'>): void {
    for (const { path, kind, previousPath } of changes) {
      const before = previousPath == null ? {} : { previousPath: fromFileUri(previousPath) };
      this.#push({ type: kind, path: fromFileUri(path), ...before });
    }
    if (overflow === true) this.#push({ type: 'overflow', path: this.#path });
  }

  #push(event: FsEvent): void {
    if (this.#isOver) return;
    if (this.#events.length >= MAX_PENDING) this.#events = [{ type: 'overflow', path: this.#path }];
    else this.#events.push(event);
    this.#wake();
  }

  #end(error: ExecServerError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#error = error;
    this.#registry.remove(this.#params.watchId);
    this.#wake();
  }
}
