// Reads a pty master without losing its tail. The kernel hands out at most about 4 KiB a read, so each wake-up of the
// event loop is followed by plain reads until the terminal is empty. libuv takes a short read plus hang-up for the end,
// although more may be waiting: what is left is drained by plain reads before the end is told.
import { readSync } from 'node:fs';
import type { ConnectOpts, SocketConstructorOpts } from 'node:net';
import { ReadStream } from 'node:tty';
import type { OutputOptions, ProcessOutput } from '../launched-process.js';
import type { PtyDescriptor } from './pty-descriptor.js';
import { readMemory } from './read-memory.js';

/** A first read this short is a keystroke or a line: looking for more would only cost a failed read. */
const BULK_READ_BYTES = 1024;

export class PtyOutput implements ProcessOutput {
  readonly stream = 'pty';
  readonly #master: PtyDescriptor;
  #reader: ReadStream | undefined;
  #isPaused = false;
  #isFinished = false;
  #isDiscarded = false;

  constructor(master: PtyDescriptor) {
    this.#master = master;
  }

  start(onData: (block: Buffer) => void, onEnd: () => void, options?: OutputOptions): void {
    const memory = readMemory(options);
    const finish = (): void => {
      if (this.#isFinished) return;
      this.#isFinished = true;
      if (this.#master.isOpen && !this.#isDiscarded) this.#drain(onData);
      this.#master.markClosed();
      this.#reader?.destroy();
      onEnd();
    };
    const socketOptions: SocketConstructorOpts & ConnectOpts = {
      onread: {
        buffer: memory.target,
        callback: (length, room) => {
          const more = length < BULK_READ_BYTES ? 0 : this.#readMore(room, length);
          onData(memory.take(length + more));
          return !this.#isPaused;
        },
      },
    };
    const reader = new ReadStream(this.#master.fd, socketOptions);
    reader.on('end', finish);
    reader.on('error', finish); // EIO: the terminal has hung up and is empty
    reader.on('close', finish);
    this.#reader = reader;
    if (this.#isPaused) reader.pause();
    else reader.resume();
  }

  pause(): void {
    this.#isPaused = true;
    this.#reader?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#reader?.resume();
  }

  discard(): void {
    this.#isDiscarded = true;
    if (this.#reader === undefined) this.#master.close();
    else {
      // The descriptor is closed before 'close' tells of it: from here on a write to its number could hit another file.
      this.#master.markClosed();
      this.#reader.destroy();
    }
  }

  #readMore(room: Uint8Array, filled: number): number {
    let end = filled;
    while (end < room.length) {
      const got = this.#readOnce(room, end);
      end += got;
      if (got < BULK_READ_BYTES) break;
    }
    return end - filled;
  }

  #drain(onData: (block: Buffer) => void): void {
    for (;;) {
      const block = Buffer.allocUnsafe(64 * 1024);
      let end = 0;
      let got = 0;
      do {
        got = this.#readOnce(block, end);
        end += got;
      } while (got > 0 && end < block.length);
      if (end > 0) onData(block.subarray(0, end));
      if (got === 0) return;
    }
  }

  /** 0 when nothing is there: EAGAIN (not yet) or EIO (never again). */
  #readOnce(into: Uint8Array, offset: number): number {
    try {
      return readSync(this.#master.fd, into, offset, into.length - offset, null);
    } catch {
      return 0;
    }
  }
}
