// Types on a terminal that its supervisor has: what is written to a pipe is passed on there (native/command/relay.c).
import type { Socket } from 'node:net';
import { LaunchIoError } from '../launch-error.js';
import type { ProcessInput } from '../launched-process.js';

const END_OF_FILE = Uint8Array.of(4);

export class RelayedPtyInput implements ProcessInput {
  readonly #socket: Socket;
  #hasEnded = false;
  #hasHungUp = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#socket.on('error', () => {}); // each failed write is told to its caller
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#hasEnded) return Promise.reject(new LaunchIoError('the terminal input is closed'));
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error) => {
        // A stream that is destroyed tells no error to the write that was under way.
        if (error || this.#hasHungUp)
          reject(new LaunchIoError('the terminal has hung up', error ?? undefined));
        else resolve();
      });
    });
  }

  /** A terminal's input has no end: this is what a user types for it. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#socket.write(END_OF_FILE);
  }

  /** The terminal has hung up: pending writes are rejected, and so are later ones. */
  discard(): void {
    this.#hasHungUp = true;
    this.#socket.destroy();
  }
}
