// The output of one process as bounded deltas: each ends at a whole character, and there are only so many.

import type { ProcessEvent, StreamName } from '@codex/exec-client';
import type { UnifiedExecEvent } from './unified-exec-event.js';
import { Utf8Frames } from './utf8-frames.js';

export interface DeltaLimits {
  readonly maxDeltas: number;
  readonly maxDeltaBytes: number;
}

export class OutputDeltas {
  readonly #callId: string;
  readonly #limits: DeltaLimits;
  readonly #frames = new Map<StreamName, Utf8Frames>();
  #count = 0;

  constructor(callId: string, limits: DeltaLimits) {
    this.#callId = callId;
    this.#limits = limits;
  }

  of(event: ProcessEvent): UnifiedExecEvent[] {
    if (event.type === 'gap') {
      const { bytes, why } = event.gap;
      return [...this.rest(), { type: 'gap', callId: this.#callId, bytes, why }];
    }
    if (event.type !== 'output') return [];
    const frames = this.#frames.get(event.stream) ?? new Utf8Frames(this.#limits.maxDeltaBytes);
    this.#frames.set(event.stream, frames);
    return this.#deltas(event.stream, frames.push(event.bytes));
  }

  /** Bytes of characters that were never finished. */
  rest(): UnifiedExecEvent[] {
    return [...this.#frames].flatMap(([stream, frames]) => this.#deltas(stream, frames.flush()));
  }

  #deltas(stream: StreamName, frames: readonly Uint8Array[]): UnifiedExecEvent[] {
    const callId = this.#callId;
    const { maxDeltas } = this.#limits;
    return frames.flatMap((bytes): UnifiedExecEvent[] => {
      this.#count++;
      if (this.#count === maxDeltas + 1) return [{ type: 'deltaQuotaReached', callId, deltas: maxDeltas }];
      return this.#count > maxDeltas ? [] : [{ type: 'delta', callId, stream, bytes }];
    });
  }
}
