// One inotify instance, in a small helper process that takes events from the kernel at once (see relay-codec.ts).
// It lives as long as somebody watches; its end is reported, because from then on events are lost.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { errnoNumberError, otherError } from '../fs-error.js';
import type { NativePath } from '../native-path.js';
import { encodeAdd, encodeRemove, RecordDecoder, type RelayRecord } from './relay-codec.js';

export type InotifyEvent = Extract<RelayRecord, { type: 'event' }>;

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
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #listener: RelayListener;
  readonly #pending = new Map<number, PendingAdd>();
  #nextRequest = 1;
  #isClosed = false;

  /** `program` is codex-launcher. */
  constructor(program: string, listener: RelayListener) {
    this.#listener = listener;
    this.#child = spawn(program, ['--watch'], { stdio: ['pipe', 'pipe', 'ignore'], env: {}, cwd: '/' });
    const { stdin, stdout } = this.#child as { stdin: Writable; stdout: Readable };
    this.#input = stdin;
    // Failures of the pipe show as the end of the helper.
    stdin.on('error', () => undefined);
    const decoder = new RecordDecoder();
    stdout.on('data', (piece: Buffer) => {
      for (const record of decoder.push(piece)) this.#take(record);
    });
    this.#child.on('error', () => this.#ended());
    this.#child.on('exit', () => this.#ended());
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
      this.#input.write(encodeAdd(request, path, mask));
    });
  }

  remove(watch: number): void {
    if (!this.#isClosed) this.#input.write(encodeRemove(watch));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.end();
    this.#rejectPending();
  }

  #take(record: RelayRecord): void {
    if (record.type === 'event') {
      if (!this.#isClosed) this.#listener.event(record);
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

  #ended(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#rejectPending();
    this.#listener.lost();
  }

  #rejectPending(): void {
    for (const { reject } of this.#pending.values()) reject(otherError(ENDED));
    this.#pending.clear();
  }
}
