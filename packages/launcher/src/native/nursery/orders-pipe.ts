// Writes to a pipe at once, which is cheaper than a stream and wakes the reader at the same moment. What does not fit
// (a large launch record) goes through a stream, and everything after it. Owns the descriptor.
import { closeSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { errnoOf } from '../../launch-error.js';

export class OrdersPipe {
  readonly #fd: number;
  #stream: Socket | undefined;
  #isClosed = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Bytes that wait for room. */
  get waiting(): number {
    return this.#stream?.writableLength ?? 0;
  }

  /** The bytes must not be changed afterwards. A reader that is gone is not told of here. */
  write(bytes: Buffer): void {
    if (this.#isClosed) return;
    const done = this.#stream === undefined ? this.#writeNow(bytes) : 0;
    if (done === bytes.length) return;
    this.#stream ??= this.#openStream();
    this.#stream.write(bytes.subarray(done));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#stream === undefined) closeSync(this.#fd);
    else this.#stream.destroy();
  }

  #writeNow(bytes: Buffer): number {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      return errnoOf(error) === 'EAGAIN' ? 0 : bytes.length;
    }
  }

  #openStream(): Socket {
    const stream = new Socket({ fd: this.#fd, readable: false, writable: true });
    stream.on('error', () => {});
    return stream;
  }
}
