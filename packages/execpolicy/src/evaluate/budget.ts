// Counts the steps and memory of the evaluation of one file, and ends it at the limit.

import { LIMITS } from '../limits.js';
import { Fault } from './fault.js';

/** Searching text is quicker than evaluating: this many characters are one step. */
const CHARACTERS_PER_STEP = 64;
const COMPARISONS_PER_STEP = 1024;

export class Budget {
  #steps = 0;
  #bytes = 0;
  #calls = 0;
  #depth = 0;

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > LIMITS.steps) throw limit(`more than ${LIMITS.steps} steps`);
  }

  /** Text of this length is read through. */
  scan(length: number): void {
    this.step(1 + Math.ceil(length / CHARACTERS_PER_STEP));
  }

  /** A text is searched for another; the bad case is one comparison per pair of characters. */
  search(length: number, wantedLength: number): void {
    this.scan(length);
    this.step(Math.ceil((length * wantedLength) / COMPARISONS_PER_STEP));
  }

  /** Before anything of that size is made. */
  allocate(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > LIMITS.memoryBytes)
      throw limit(`more than ${LIMITS.memoryBytes} bytes of text and lists`);
  }

  enter(): void {
    this.step();
    if (++this.#depth > LIMITS.evaluationDepth) throw limit('expressions and calls are nested too deep');
  }

  leave(): void {
    this.#depth--;
  }

  call<T>(run: () => T): T {
    if (++this.#calls > LIMITS.calls) throw limit(`more than ${LIMITS.calls} calls inside each other`);
    try {
      return run();
    } finally {
      this.#calls--;
    }
  }
}

function limit(what: string): Fault {
  return new Fault('RULES_LIMIT', what);
}
