// The memory of one log. Output is copied into pages, one block behind the other, and a page whose blocks have all been
// dropped is filled again: a process that writes gigabytes uses the same few megabytes, and the garbage collector, which
// counts every fresh allocation, has nothing to do. A page never goes from one log to another.

import { Buffer } from 'node:buffer';

const PAGE_BYTES = 256 * 1024;
const SMALLEST_PAGE_BYTES = 1024;

export interface Page {
  readonly memory: Uint8Array;
  used: number;
  /** Blocks of the log that lie in it. */
  blocks: number;
  /** A reader outside the log may still look at it: it is left to the garbage collector. */
  isLent: boolean;
}

export class OutputPages {
  #current: Page | undefined;
  #spare: Page | undefined;
  #allocatedBytes = 0;
  #pageBytes = PAGE_BYTES;
  #hasEnded = false;

  /** How long a page is, once a process has said much. */
  get pageBytes(): number {
    return this.#pageBytes;
  }

  /** From here on a page takes a block of that many bytes. */
  fit(bytes: number): void {
    this.#pageBytes = Math.max(PAGE_BYTES, bytes);
  }

  /** What is left of the page that is being filled. */
  get room(): number {
    const current = this.#current;
    return current === undefined ? 0 : current.memory.length - current.used;
  }

  /** A page with room for that many bytes in a row, `pageBytes` at most. What is left of the one before stays unused. */
  withRoom(bytes: number): Page {
    const current = this.#current;
    if (current !== undefined && hasRoom(current, bytes)) return current;
    if (current?.blocks === 0) this.#keepSpare(current);
    this.#current = this.#takeSpare(bytes) ?? this.#allocate(bytes);
    return this.#current;
  }

  /** One of the page's blocks was dropped. */
  released(page: Page): void {
    page.blocks--;
    if (page.blocks === 0 && page !== this.#current) this.#keepSpare(page);
  }

  /** Nothing follows. */
  end(): void {
    this.#hasEnded = true;
    this.#spare = undefined;
  }

  #keepSpare(page: Page): void {
    if (this.#hasEnded) return;
    if (!page.isLent && page.memory.length === this.#pageBytes) this.#spare = page;
  }

  #takeSpare(bytes: number): Page | undefined {
    const spare = this.#spare;
    if (spare === undefined || bytes > spare.memory.length) return undefined;
    this.#spare = undefined;
    spare.used = 0;
    return spare;
  }

  /** Most processes say little: pages grow with what was said before. */
  #allocate(bytes: number): Page {
    const wanted = Math.max(SMALLEST_PAGE_BYTES, 4 * this.#allocatedBytes, 2 * bytes);
    const memory = new Uint8Array(Buffer.allocUnsafeSlow(Math.min(this.#pageBytes, wanted)).buffer);
    this.#allocatedBytes += memory.length;
    return { memory, used: 0, blocks: 0, isLent: false };
  }
}

export function hasRoom({ memory, used }: Page, bytes: number): boolean {
  return memory.length - used >= bytes;
}
