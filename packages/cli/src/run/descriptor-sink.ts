// Writes to stdout or stderr byte for byte and in order. A reader that does not read stalls one thread of the pool and
// not this program: signals and timeouts still work. Node's own stdout would block the whole of it.

import { write } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const writeTo = promisify(write);
const RETRY_MS = 5;

export class DescriptorSink {
  readonly #fd: number;
  #written = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  get bytesWritten(): number {
    return this.#written;
  }

  /** Resolves when the system has taken all of it; rejects with EPIPE when the reader is gone. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; ) {
      const taken = await this.#writeSome(bytes.subarray(start));
      start += taken;
      this.#written += taken;
    }
  }

  async #writeSome(bytes: Uint8Array): Promise<number> {
    try {
      return (await writeTo(this.#fd, bytes)).bytesWritten;
    } catch (error) {
      // Another process that shares the descriptor has made it non-blocking.
      if (!isErrno(error, 'EAGAIN')) throw error;
      await delay(RETRY_MS);
      return 0;
    }
  }
}

export function isErrno(error: unknown, errno: string): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === errno;
}
