// Events that a reader has not taken yet, with what they weigh.

import type { UnifiedExecEvent } from './unified-exec-event.js';

/** An event that holds next to nothing still takes this much. */
const LEAST_BYTES = 256;
/** The part of the queue that was taken is given up from here on. */
const COMPACT_AT = 1_024;

export class EventQueue {
  #events: (UnifiedExecEvent | undefined)[] = [];
  #first = 0;
  #bytes = 0;
  #deltaBytes = 0;

  /** Of all events. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Of output deltas alone. */
  get deltaBytes(): number {
    return this.#deltaBytes;
  }

  push(event: UnifiedExecEvent): void {
    this.#events.push(event);
    this.#weigh(event, 1);
  }

  shift(): UnifiedExecEvent | undefined {
    const event = this.#events[this.#first];
    if (event === undefined) return undefined;
    this.#events[this.#first++] = undefined;
    this.#weigh(event, -1);
    if (this.#first >= COMPACT_AT && this.#first * 2 >= this.#events.length) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
    return event;
  }

  clear(): void {
    this.#events = [];
    this.#first = 0;
    this.#bytes = 0;
    this.#deltaBytes = 0;
  }

  #weigh(event: UnifiedExecEvent, sign: 1 | -1): void {
    this.#bytes += sign * (LEAST_BYTES + heldBytes(event));
    if (event.type === 'delta') this.#deltaBytes += sign * (LEAST_BYTES + event.bytes.length);
  }
}

/** Roughly: a character counts as two bytes. */
function heldBytes(event: UnifiedExecEvent): number {
  switch (event.type) {
    case 'delta':
      return event.bytes.length;
    case 'interaction':
      return event.stdin.length * 2;
    case 'begin':
      return event.command.reduce((sum, word) => sum + word.length * 2, 0);
    case 'rejected':
      return event.message.length * 2;
    case 'end':
      return outputBytes(event.result);
    case 'attempt':
      return event.state === 'denied' ? outputBytes(event.result) : 0;
    case 'patched':
      return event.changes.reduce((sum, { path }) => sum + LEAST_BYTES + path.length * 2, 0);
    case 'approval':
    case 'deltaQuotaReached':
    case 'eventsLost':
    case 'gap':
    case 'sessionEvicted':
      return 0;
  }
}

function outputBytes({ output }: Extract<UnifiedExecEvent, { type: 'end' }>['result']): number {
  return output.totalBytes - output.omittedBytes;
}
