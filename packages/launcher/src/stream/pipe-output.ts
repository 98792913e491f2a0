// Reads one pipe of a command in large blocks on the event loop. Owns the descriptor.
import { closeSync, readSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { OutputOptions, ProcessOutput } from '../launched-process.js';
import { flowNap } from './flow-nap.js';
import { type ReadMemory, readMemory } from './read-memory.js';

/** What the widest pipe of ours holds, twice. */
const MOST_LEFT_BYTES = 512 * 1024;

interface Reader {
  readonly memory: ReadMemory;
  readonly onData: (block: Buffer) => void;
  readonly onEnd: () => void;
}

export class PipeOutput implements ProcessOutput {
  readonly stream: ProcessOutput['stream'];
  readonly #fd: number;
  readonly #isLeft: () => boolean;
  #socket: Socket | undefined;
  #isPaused = false;
  #isClosed = false;
  #isFinished = false;

  /** `isLeft`: who writes to it has gone. What they have left is read at once then, which costs a fraction of a stream. */
  constructor(stream: ProcessOutput['stream'], fd: number, isLeft: () => boolean = () => false) {
    this.stream = stream;
    this.#fd = fd;
    this.#isLeft = isLeft;
  }

  start(onData: (block: Buffer) => void, onEnd: () => void, options?: OutputOptions): void {
    const reader = { memory: readMemory(options), onData, onEnd };
    if (!this.#isLeft()) {
      this.#openStream(reader);
      return;
    }
    // Not before the caller knows that it has started.
    process.nextTick(() => {
      if (!this.#isClosed) this.#readRest(reader);
      if (this.#isClosed) this.#finish(reader);
      else this.#openStream(reader);
    });
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket?.resume();
  }

  discard(): void {
    if (this.#socket !== undefined) this.#socket.destroy();
    else this.#close();
  }

  /** To the end, if nothing comes between: a process outside of the tree may still hold the other end, and write to it for ever. */
  #readRest({ memory, onData }: Reader): void {
    for (let bytes = 0; bytes < MOST_LEFT_BYTES && !this.#isPaused && !this.#isClosed; ) {
      const { target } = memory;
      const length = readNow(this.#fd, typeof target === 'function' ? target() : target);
      if (length === undefined) return;
      if (length === 0) this.#close();
      else onData(memory.take(length));
      bytes += length;
    }
  }

  #openStream(reader: Reader): void {
    const { memory, onData } = reader;
    const socketOptions: SocketConstructorOpts & ConnectOpts = {
      fd: this.#fd,
      readable: true,
      writable: false,
      onread: {
        buffer: memory.target,
        callback: (length) => {
          // What prints to a terminal is read by its supervisor, which has a rhythm of its own.
          if (this.stream !== 'pty') flowNap.read(this, length);
          onData(memory.take(length));
          return !this.#isPaused;
        },
      },
    };
    const finish = (): void => this.#finish(reader);
    const socket = new Socket(socketOptions);
    socket.on('end', finish);
    socket.on('error', finish); // a pipe has no error but its end
    socket.on('close', finish);
    this.#socket = socket;
    this.#isClosed = true; // by the stream
    if (this.#isPaused) socket.pause();
  }

  #finish({ onEnd }: Reader): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    onEnd();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#fd);
  }
}

/** Undefined when nothing is there for now. */
function readNow(fd: number, into: Buffer): number | undefined {
  try {
    return readSync(fd, into);
  } catch {
    return undefined;
  }
}
