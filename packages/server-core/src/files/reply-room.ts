// Back-pressure for large replies: a client that pipelines many reads and is slow to read the answers waits, instead of
// filling the memory of the server or losing its connection to the limit on unsent bytes.

import { otherError, SMALL_FILE_BYTES } from '@codex/exec-files';
import type { BulkHandle, BulkSource } from '@codex/exec-rpc';

interface Waiting {
  readonly bytes: number;
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
}

export class ReplyRoom implements BulkSource {
  readonly #capacity: number;
  readonly #queue: Waiting[] = [];
  readonly #bulk: BulkHandle;
  #used = 0;
  #isEnded = false;

  constructor(capacity: number, addBulkSource: (source: BulkSource) => BulkHandle) {
    this.#capacity = capacity;
    this.#bulk = addBulkSource(this);
  }

  /** Resolves when a reply of that size may be made; undefined when it may be made at once. */
  acquire(bytes: number): Promise<void> | undefined {
    if (bytes < SMALL_FILE_BYTES) return undefined;
    return new Promise((admit, refuse) => {
      this.#queue.push({ bytes, admit, refuse });
      if (this.#isEnded) this.end();
      else this.#bulk.wake();
    });
  }

  /** The connection has ended: requests that wait for room are refused. */
  end(): void {
    this.#isEnded = true;
    for (const { refuse } of this.#queue.splice(0)) {
      refuse(otherError('the connection ended before this request was answered'));
    }
  }

  /** The reply was handed to the transport, or will not come. */
  release(bytes: number): void {
    if (bytes < SMALL_FILE_BYTES) return;
    this.#used -= bytes;
    if (this.#queue.length > 0) this.#bulk.wake();
  }

  /** The transport has room. Admitting is all this source does with it: the replies go out as replies. */
  next(): undefined {
    for (let next = this.#queue[0]; next !== undefined && this.#hasRoom(next.bytes); next = this.#queue[0]) {
      this.#queue.shift();
      this.#used += next.bytes;
      next.admit();
    }
    return undefined;
  }

  /** More than the capacity is admitted when nothing else is held. */
  #hasRoom(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#capacity;
  }
}
