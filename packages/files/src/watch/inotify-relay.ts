// One inotify instance, in a small helper process that takes events from the kernel at once (`codex-launcher --watch`).
// It lives as long as there is a watch; its end is reported, because from then on events are lost.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { encodeAdd, encodeRemove, type WatchRecord, WatchRecordDecoder } from '@codex/launcher/watch';
import { errnoNumberError, type FsError, otherError, toFsError } from '../fs-error.js';
import { fromBytes, type NativePath, toBytes } from '../native-path.js';

export type InotifyEvent = Omit<Extract<WatchRecord, { type: 'event' }>, 'name'> & {
  readonly name: NativePath | undefined;
};

export interface RelayListener {
  event(event: InotifyEvent): void;
  /** The helper ended without being asked to. */
  lost(): void;
}

interface PendingAdd {
  readonly added: (watch: number) => void;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const ENDED = 'the file watcher has ended';

export class InotifyRelay {
  /** Undefined when the helper could not be started; an `error` event tells. */
  readonly #input: Writable | undefined;
  readonly #listener: RelayListener;
  readonly #pending = new Map<number, PendingAdd>();
  #nextRequest = 1;
  #isClosed = false;

  /** `program` is codex-launcher. */
  constructor(program: string, listener: RelayListener) {
    this.#listener = listener;
    const child = startHelper(program);
    child.on('error', (error) => this.#ended(startFailure(error)));
    child.on('exit', () => this.#ended(otherError(ENDED)));
    // Short of descriptors Node sets no streams at all.
    const { stdin, stdout } = child as { stdin?: Writable | null; stdout?: Readable | null };
    this.#input = stdin ?? undefined;
    // Failures of the pipe show as the end of the helper.
    stdin?.on('error', () => undefined);
    const decoder = new WatchRecordDecoder();
    stdout?.on('data', (piece: Buffer) => {
      for (const record of decoder.push(piece)) this.#take(record);
    });
  }

  /**
   * Watches one directory; an inode that is watched already keeps its number. `added` is called before any event of
   * the new watch is delivered, which a promise could not say.
   */
  add(path: NativePath, mask: number, added: (watch: number) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(otherError(ENDED));
      const request = this.#nextRequest;
      this.#nextRequest = (request + 1) >>> 0;
      this.#pending.set(request, { added, resolve, reject });
      this.#input?.write(encodeAdd(request, toBytes(path), mask));
    });
  }

  remove(watch: number): void {
    if (!this.#isClosed) this.#input?.write(encodeRemove(watch));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input?.end();
    this.#rejectPending(otherError(ENDED));
  }

  #take(record: WatchRecord): void {
    if (record.type === 'event') {
      if (!this.#isClosed) this.#listener.event({ ...record, name: record.name && fromBytes(record.name) });
      return;
    }
    const pending = this.#pending.get(record.request);
    this.#pending.delete(record.request);
    if (record.watch < 0) {
      pending?.reject(errnoNumberError(record.watch));
      return;
    }
    pending?.added(record.watch);
    pending?.resolve();
  }

  #ended(reason: FsError): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#rejectPending(reason);
    this.#listener.lost();
  }

  #rejectPending(reason: FsError): void {
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }
}

/** A start fails at once (ENOMEM) or by an `error` event (EMFILE, EAGAIN, ENOENT). */
function startHelper(program: string): ChildProcess {
  try {
    return spawn(program, ['--watch'], { stdio: ['pipe', 'pipe', 'ignore'], env: {}, cwd: '/' });
  } catch (error) {
    throw startFailure(error);
  }
}

/** Not by the errno's own code: a missing helper is not a missing file of the client. */
function startFailure(cause: unknown): FsError {
  return otherError(`the file watcher cannot be started: ${toFsError(cause).message}`);
}
