// Cuts the byte stream of the remote end into messages again. A text is good until the call returns; a message in binary form
// belongs to the receiver.

import { Buffer } from 'node:buffer';
import { MAX_MESSAGE_BYTES } from '@codex/exec-protocol';
import { frameMemory } from '@codex/exec-rpc/bytes';
import { LENGTH_BYTES, readLength } from '../message-length.js';

/** A length that announces much and brings little costs this much. */
const FIRST_BYTES = 1024 * 1024;
const GROWTH = 4;

export interface InboundMessages {
  text(message: Buffer): void;
  binary(message: Buffer): void;
}

export class InboundStream {
  readonly #found: InboundMessages;
  readonly #length: Buffer = Buffer.alloc(LENGTH_BYTES);
  #lengthBytes = 0;
  #message: Buffer | undefined;
  #isBinary = false;
  #wanted = 0;
  #have = 0;

  constructor(found: InboundMessages) {
    this.#found = found;
  }

  /** The whole length of the message of which a part is here; zero between messages. */
  get unfinishedBytes(): number {
    return this.#message === undefined ? 0 : this.#wanted;
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
    const { length, isBinary } = readLength(this.#length);
    this.#wanted = length;
    this.#isBinary = isBinary;
    this.#have = 0;
    return length <= MAX_MESSAGE_BYTES;
  }

  #take(bytes: Buffer, position: number): number {
    const taken = Math.min(this.#wanted - this.#have, bytes.length - position);
    if (this.#have === 0 && taken === this.#wanted) {
      this.#message = bytes.subarray(position, position + taken);
    } else {
      bytes.copy(this.#room(taken), this.#have, position, position + taken);
    }
    this.#have += taken;
    return taken;
  }

  /** Memory for that many more bytes of the message. */
  #room(bytes: number): Buffer {
    const memory = this.#message;
    if (memory !== undefined && this.#have + bytes <= memory.length) return memory;
    const length = Math.max(this.#have + bytes, FIRST_BYTES, GROWTH * (memory?.length ?? 0));
    const grown = frameMemory.borrow(Math.min(this.#wanted, length));
    if (memory !== undefined) {
      memory.copy(grown, 0, 0, this.#have);
      frameMemory.release(memory);
    }
    this.#message = grown;
    return grown;
  }

  #finish(): void {
    const message = (this.#message ?? Buffer.alloc(0)).subarray(0, this.#wanted);
    this.#message = undefined;
    this.#lengthBytes = 0;
    if (this.#isBinary) {
      this.#found.binary(message);
      return;
    }
    this.#found.text(message);
    frameMemory.release(message);
  }
}
