// Cuts the byte stream of the remote end into messages again. What it hands out is good until the call returns.

import { Buffer } from 'node:buffer';
import { MAX_MESSAGE_BYTES } from '@codex/exec-protocol';
import { frameMemory } from '@codex/exec-rpc/bytes';

const LENGTH_BYTES = 4;

export class InboundStream {
  readonly #deliver: (message: Buffer) => void;
  readonly #length: Buffer = Buffer.alloc(LENGTH_BYTES);
  #lengthBytes = 0;
  #message: Buffer | undefined;
  #wanted = 0;
  #have = 0;

  constructor(deliver: (message: Buffer) => void) {
    this.#deliver = deliver;
  }

  /** False when the remote end announces a message that is too long. */
  push(bytes: Buffer): boolean {
    for (let position = 0; position < bytes.length; ) {
      if (this.#lengthBytes < LENGTH_BYTES) {
        this.#length[this.#lengthBytes++] = bytes[position++] ?? 0;
        if (this.#lengthBytes === LENGTH_BYTES && !this.#begin()) return false;
      } else {
        position += this.#take(bytes, position);
      }
      if (this.#lengthBytes === LENGTH_BYTES && this.#have === this.#wanted) this.#finish();
    }
    return true;
  }

  #begin(): boolean {
    this.#wanted = this.#length.readUInt32BE(0);
    this.#have = 0;
    return this.#wanted <= MAX_MESSAGE_BYTES;
  }

  #take(bytes: Buffer, position: number): number {
    const missing = this.#wanted - this.#have;
    const taken = Math.min(missing, bytes.length - position);
    if (this.#have === 0 && taken === this.#wanted) {
      this.#message = bytes.subarray(position, position + taken);
    } else {
      this.#message ??= frameMemory.borrow(this.#wanted);
      bytes.copy(this.#message, this.#have, position, position + taken);
    }
    this.#have += taken;
    return taken;
  }

  #finish(): void {
    const message = this.#message ?? Buffer.alloc(0);
    this.#message = undefined;
    this.#lengthBytes = 0;
    this.#deliver(message.subarray(0, this.#wanted));
    frameMemory.release(message);
  }
}
