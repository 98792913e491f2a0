// Reads one pipe of a command in large blocks on the event loop. Owns the descriptor.
import { closeSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { OutputOptions, ProcessOutput } from '../launched-process.js';
import { readMemory } from './read-memory.js';

export class PipeOutput implements ProcessOutput {
  readonly stream: ProcessOutput['stream'];
  readonly #fd: number;
  #socket: Socket | undefined;
  #isPaused = false;
  #isFinished = false;

  constructor(stream: ProcessOutput['stream'], fd: number) {
    this.stream = stream;
    this.#fd = fd;
  }

  start(onData: (block: Buffer) => void, onEnd: () => void, options?: OutputOptions): void {
    const memory = readMemory(options);
    const finish = (): void => {
      if (this.#isFinished) return;
      this.#isFinished = true;
      onEnd();
    };
    const socketOptions: SocketConstructorOpts & ConnectOpts = {
      fd: this.#fd,
      readable: true,
      writable: false,
      onread: {
        buffer: memory.target,
        callback: (length) => {
          onData(memory.take(length));
          return !this.#isPaused;
        },
      },
    };
    const socket = new Socket(socketOptions);
    socket.on('end', finish);
    socket.on('error', finish); // a pipe has no error but its end
    socket.on('close', finish);
    this.#socket = socket;
    if (this.#isPaused) socket.pause();
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
    else if (!this.#isFinished) {
      this.#isFinished = true;
      closeSync(this.#fd);
    }
  }
}
