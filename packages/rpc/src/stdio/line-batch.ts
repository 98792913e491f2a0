// Writes messages as lines. The small ones of one turn are coalesced into one write.

import { Buffer } from 'node:buffer';
import type { Writable } from 'node:stream';
import type { WireMessage } from '@codex/exec-protocol';
import { wireByteLength, writeWire } from '../bytes/wire-bytes.js';

const LF = 0x0a;

export class LineBatch {
  readonly #output: Writable;
  readonly #taken: () => void;
  #isCorked = false;

  constructor(output: Writable, taken: () => void) {
    this.#output = output;
    this.#taken = taken;
  }

  add(message: WireMessage): void {
    const line = Buffer.allocUnsafe(wireByteLength(message) + 1);
    line[writeWire(message, line, 0)] = LF;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#output.cork();
      process.nextTick(() => this.flush());
    }
    this.#output.write(line, this.#taken);
  }

  flush(): void {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#output.uncork();
  }
}
