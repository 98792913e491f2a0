// A process as the events that a model's tool layer shows: begin, bounded output deltas, terminal interactions, end.
// Nothing is dropped silently: a quota that is reached and output that is gone are events of their own.

import type { ProcessEvent } from '../process/events/process-event.js';
import type { RemoteProcess } from '../process/remote-process.js';
import type { Captured, Gap, Outcome, StreamName } from '../result.js';
import { EventQueue } from './event-queue.js';
import { Utf8Frames } from './utf8-frames.js';

interface LlmEventBase {
  /** The tool call that started the process; also on events that later calls cause. */
  readonly callId: string;
  readonly processId: string;
}

export type LlmEvent =
  | (LlmEventBase & { readonly type: 'execCommandBegin'; readonly command: string; readonly cwd: string })
  | (LlmEventBase & {
      readonly type: 'execCommandOutputDelta';
      readonly stream: StreamName;
      /** Ends at a whole character. */
      readonly bytes: Uint8Array;
      readonly text: string;
    })
  | (LlmEventBase & { readonly type: 'outputQuotaReached'; readonly deltas: number })
  | (LlmEventBase & { readonly type: 'outputGap'; readonly gap: Gap })
  | (LlmEventBase & { readonly type: 'terminalInteraction'; readonly input: string })
  | (LlmEventBase & {
      readonly type: 'execCommandEnd';
      readonly status: 'completed' | 'failed';
      /** -1 where the process left none. */
      readonly exitCode: number;
      readonly outcome: Outcome;
      readonly output: Captured;
      readonly durationMs: number;
    });

export interface LlmEventOptions {
  readonly callId: string;
  /** Deltas of one process; the transcript in the end event goes on. Default 10000. */
  readonly maxDeltas?: number;
  /** Default 8192. */
  readonly maxDeltaBytes?: number;
}

const MAX_DELTAS = 10_000;
const MAX_DELTA_BYTES = 8192;

/** From the beginning of the process to its end. Leaving the loop does not touch the process. */
export async function* llmEvents(
  process: RemoteProcess,
  options: LlmEventOptions,
): AsyncGenerator<LlmEvent, void, undefined> {
  const base = { callId: options.callId, processId: process.id };
  const queue = new EventQueue<LlmEvent>();
  const left = new AbortController();
  const stopListening = process.onInput((bytes) => {
    queue.push({ ...base, type: 'terminalInteraction', input: new TextDecoder().decode(bytes) });
  });
  yield { ...base, type: 'execCommandBegin', command: process.command, cwd: process.cwd };
  const pumped = pump({ process, options, queue, signal: left.signal });
  try {
    yield* queue;
    await pumped;
  } finally {
    stopListening();
    left.abort();
  }
}

interface Pump {
  readonly process: RemoteProcess;
  readonly options: LlmEventOptions;
  readonly queue: EventQueue<LlmEvent>;
  readonly signal: AbortSignal;
}

async function pump({ process, options, queue, signal }: Pump): Promise<void> {
  const base = { callId: options.callId, processId: process.id };
  const deltas = new DeltaMapping(base, options);
  try {
    for await (const event of process.events({ signal })) {
      for (const mapped of deltas.map(event)) queue.push(mapped);
      await queue.hasRoom();
    }
    for (const mapped of deltas.rest()) queue.push(mapped);
    const { outcome, output, durationMs } = await process.result();
    const exitCode = outcome.exitCode ?? -1;
    const status = outcome.kind === 'exited' && exitCode === 0 ? 'completed' : 'failed';
    queue.push({ ...base, type: 'execCommandEnd', status, exitCode, outcome, output, durationMs });
  } catch (error) {
    // Leaving the loop aborts the iteration of events; the consumer is gone and needs no error.
    if (!signal.aborted) throw error;
  } finally {
    queue.end();
  }
}

class DeltaMapping {
  readonly #base: LlmEventBase;
  readonly #maxDeltas: number;
  readonly #maxBytes: number;
  readonly #frames = new Map<StreamName, Utf8Frames>();
  #count = 0;

  constructor(
    base: LlmEventBase,
    { maxDeltas = MAX_DELTAS, maxDeltaBytes = MAX_DELTA_BYTES }: LlmEventOptions,
  ) {
    this.#base = base;
    this.#maxDeltas = maxDeltas;
    this.#maxBytes = maxDeltaBytes;
  }

  map(event: ProcessEvent): LlmEvent[] {
    if (event.type === 'gap') return [...this.rest(), { ...this.#base, type: 'outputGap', gap: event.gap }];
    if (event.type !== 'output') return [];
    const frames = this.#frames.get(event.stream) ?? new Utf8Frames(this.#maxBytes);
    this.#frames.set(event.stream, frames);
    return this.#deltas(event.stream, frames.push(event.bytes));
  }

  rest(): LlmEvent[] {
    return [...this.#frames].flatMap(([stream, frames]) => this.#deltas(stream, frames.flush()));
  }

  #deltas(stream: StreamName, frames: readonly Uint8Array[]): LlmEvent[] {
    return frames.flatMap((bytes): LlmEvent[] => {
      this.#count++;
      if (this.#count === this.#maxDeltas + 1) {
        return [{ ...this.#base, type: 'outputQuotaReached', deltas: this.#maxDeltas }];
      }
      if (this.#count > this.#maxDeltas) return [];
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      return [{ ...this.#base, type: 'execCommandOutputDelta', stream, bytes, text }];
    });
  }
}
