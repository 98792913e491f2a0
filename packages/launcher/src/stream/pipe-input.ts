// Writes to a command's stdin through a stream that it owns.
import type { Socket } from 'node:net';
import { LaunchIoError } from '../launch-error.js';
import type { ProcessInput } from '../launched-process.js';

export class PipeInput implements ProcessInput {
  readonly #socket: Socket;
  #hasEnded = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#socket.on('error', () => {}); // each failed write is told to its caller
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) {
        reject(new LaunchIoError('stdin is closed'));
        return;
      }
      this.#socket.write(bytes, (error) => {
        if (error) reject(new LaunchIoError('the command does not read its stdin any more', error));
        else resolve();
      });
    });
  }

  end(): void {
    this.#hasEnded = true;
    this.#socket.end();
  }

  /** The reading end is gone: pending writes are rejected. */
  discard(): void {
    this.#hasEnded = true;
    this.#socket.destroy();
  }
}
