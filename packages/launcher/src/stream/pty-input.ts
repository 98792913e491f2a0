// Writes to a pty master without ever blocking: as much as the terminal takes at once, the rest when `waitWritable`
// says so. libuv's own tty stream is not used for writing, because it turns a pty master into a blocking descriptor.
import { writeSync } from 'node:fs';
import { errnoOf, LaunchIoError } from '../launch-error.js';
import type { ProcessInput } from '../launched-process.js';
import type { PtyDescriptor } from './pty-descriptor.js';

const END_OF_FILE = Uint8Array.of(4);

interface PendingWrite {
  readonly bytes: Uint8Array;
  offset: number;
  readonly resolve: () => void;
  readonly reject: (error: LaunchIoError) => void;
}

export class PtyInput implements ProcessInput {
  readonly #master: PtyDescriptor;
  readonly #waitWritable: (callback: () => void) => void;
  #queue: PendingWrite[] = [];
  #isWaiting = false;
  #hasEnded = false;

  constructor(master: PtyDescriptor, waitWritable: (callback: () => void) => void) {
    this.#master = master;
    this.#waitWritable = waitWritable;
    master.onClosed(() => this.#rejectAll());
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#hasEnded) return Promise.reject(new LaunchIoError('the terminal input is closed'));
    return this.#enqueue(bytes);
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#enqueue(END_OF_FILE).catch(() => {}); // a terminal that is gone needs no end
  }

  #enqueue(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#master.isOpen) {
        reject(hungUp());
        return;
      }
      this.#queue.push({ bytes, offset: 0, resolve, reject });
      if (!this.#isWaiting) this.#flush();
    });
  }

  #flush(): void {
    while (this.#master.isOpen) {
      const next = this.#queue[0];
      if (next === undefined) return;
      if (!this.#writeSome(next)) return;
      if (next.offset === next.bytes.length) {
        this.#queue.shift();
        next.resolve();
      }
    }
  }

  /** False when the terminal takes nothing for the moment, or never again. */
  #writeSome(write: PendingWrite): boolean {
    try {
      write.offset += writeSync(
        this.#master.fd,
        write.bytes,
        write.offset,
        write.bytes.length - write.offset,
      );
      return true;
    } catch (error) {
      if (errnoOf(error) === 'EAGAIN') this.#resumeLater();
      else this.#rejectAll(error);
      return false;
    }
  }

  #resumeLater(): void {
    this.#isWaiting = true;
    this.#waitWritable(() => {
      this.#isWaiting = false;
      this.#flush();
    });
  }

  #rejectAll(cause?: unknown): void {
    const queue = this.#queue;
    this.#queue = [];
    for (const write of queue) write.reject(hungUp(cause));
  }
}

function hungUp(cause?: unknown): LaunchIoError {
  return new LaunchIoError('the terminal has hung up', cause);
}
