/**
 * The output of a terminal that its supervisor reads and passes on through a pipe (native/relay.c). When the pipe ends the
 * terminal is empty, unless the supervisor was killed: then the rest is read here.
 */
import { readSync } from 'node:fs';
import type { OutputOptions, ProcessOutput } from '../launched-process.js';
import type { PipeOutput } from './pipe-output.js';
import type { PtyMaster } from './pty-master.js';

/** More than a terminal holds. Whoever goes on writing to one that has lost its supervisor is not waited for. */
const MAX_REST_BYTES = 64 * 1024;
const READ_BYTES = 4096;

export class RelayedPtyOutput implements ProcessOutput {
  readonly stream = 'pty';
  readonly #pipe: PipeOutput;
  readonly #master: PtyMaster;

  constructor(pipe: PipeOutput, master: PtyMaster) {
    this.#pipe = pipe;
    this.#master = master;
  }

  start(onData: (block: Buffer) => void, onEnd: () => void, options?: OutputOptions): void {
    const finish = (): void => {
      this.#readRest(onData);
      this.#master.close();
      onEnd();
    };
    this.#pipe.start(onData, finish, options);
  }

  pause(): void {
    this.#pipe.pause();
  }

  resume(): void {
    this.#pipe.resume();
  }

  #readRest(onData: (block: Buffer) => void): void {
    for (let total = 0; total < MAX_REST_BYTES; ) {
      const block = Buffer.allocUnsafe(READ_BYTES);
      const length = this.#read(block);
      if (length === 0) return;
      total += length;
      onData(block.subarray(0, length));
    }
  }

  /** 0 when nothing is there: EIO (never again) or EAGAIN. */
  #read(into: Buffer): number {
    try {
      return readSync(this.#master.fd, into);
    } catch {
      return 0;
    }
  }
}
