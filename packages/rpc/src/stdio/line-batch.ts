// Writes messages as lines, or in binary form. The small ones of one turn are coalesced into one write.

import { Buffer } from 'node:buffer';
import type { Writable } from 'node:stream';
import type { WireMessage } from '@codex/exec-protocol';
import { outgoingMessage } from '../bytes/outgoing-message.js';

const LF = 0x0a;

export class LineBatch {
  readonly #output: Writable;
  readonly #taken: () => void;
  #isCorked = false;
  #isBinary = false;

  constructor(output: Writable, taken: () => void) {
    this.#output = output;
    this.#taken = taken;
  }

  /** Messages with payloads are sent in binary form from here on. */
  useBinary(): void {
    this.#isBinary = true;
  }

  add(message: WireMessage): void {
    const outgoing = outgoingMessage(message, this.#isBinary);
    const bytes = Buffer.allocUnsafe(outgoing.length + (outgoing.isBinary ? 0 : 1));
    const end = outgoing.write(bytes, 0);
    if (!outgoing.isBinary) bytes[end] = LF;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#output.cork();
      process.nextTick(() => this.flush());
    }
    this.#output.write(bytes, this.#taken);
  }

  flush(): void {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#output.uncork();
  }
}
