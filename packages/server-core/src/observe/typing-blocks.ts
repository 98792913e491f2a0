// What an observer types is told in blocks: the first key at once, what follows within a second together. A journal with an
// event for each key would hold nothing else after some minutes of typing.
import type { Clock } from '@codex/exec-protocol';

const BLOCK_MS = 1000;

interface Block {
  bytes: number;
  /** Tells of what came since the last time. */
  tell: (bytes: number) => void;
}

export class TypingBlocks {
  readonly #clock: Clock;
  /** By observer, session and process; gone a second after the last key. */
  readonly #open = new Map<string, Block>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `tell` is called now, or, while the block of this key is open, at its end. */
  typed(key: string, bytes: number, tell: (bytes: number) => void): void {
    const open = this.#open.get(key);
    if (open !== undefined) {
      open.bytes += bytes;
      open.tell = tell;
      return;
    }
    tell(bytes);
    const block: Block = { bytes: 0, tell };
    this.#open.set(key, block);
    this.#schedule(key, block);
  }

  #schedule(key: string, block: Block): void {
    this.#clock.schedule(BLOCK_MS, () => {
      if (block.bytes === 0) {
        this.#open.delete(key);
        return;
      }
      const { bytes } = block;
      block.bytes = 0;
      block.tell(bytes);
      this.#schedule(key, block);
    });
  }
}
