// Puts a process' events in order of their seq, whether they were pushed or read, each exactly once. What the server
// no longer has is published as a gap. Servers may push out of order, and pushed and read events overlap.

import { type Payload, payloadBytes, type ResultWithPayload } from '@codex/exec-protocol';
import { ExecServerError } from '../../exec-server-error.js';
import type { Gap, StreamName } from '../../result.js';
import type { ObservedExit } from '../end/process-outcome.js';

type ProcessReadResult = ResultWithPayload<'process/read'>;

export type SequencedEvent =
  | { readonly type: 'output'; readonly seq: number; readonly stream: StreamName; readonly bytes: Uint8Array }
  | ({ readonly type: 'exited'; readonly seq: number } & ObservedExit)
  | { readonly type: 'closed'; readonly seq: number }
  | { readonly type: 'gap'; readonly gap: Gap };

/** Above either, a hole in the sequence is repaired by reading instead of waiting for the missing event. */
const MAX_HELD_EVENTS = 1024;
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** Of a server that never gives out what is missing. */
const MOST_HELD_BYTES = 256 * 1024 * 1024;

export class EventOrder {
  readonly #publish: (event: SequencedEvent) => void;
  readonly #held = new Map<number, SequencedEvent>();
  #heldBytes = 0;
  #last: number;
  #hasExited = false;
  #isClosed = false;

  constructor(afterSeq: number, publish: (event: SequencedEvent) => void) {
    this.#last = afterSeq;
    this.#publish = publish;
  }

  /** Everything up to and including this seq is published. */
  get lastSeq(): number {
    return this.#last;
  }

  /** An event is missing while later ones are here. */
  get hasHole(): boolean {
    return this.#held.size > 0;
  }

  get overflowing(): boolean {
    return this.#held.size > MAX_HELD_EVENTS || this.#heldBytes > MAX_HELD_BYTES;
  }

  push(event: SequencedEvent & { readonly seq: number }): void {
    if (event.seq <= this.#last || this.#held.has(event.seq)) return;
    if (event.seq === this.#last + 1) {
      this.#advance(event);
      this.#releaseHeld();
      return;
    }
    const bytes = event.type === 'output' ? event.bytes.length : 0;
    if (this.#heldBytes + bytes > MOST_HELD_BYTES)
      throw violation(
        `the server sent ${this.#heldBytes + bytes} bytes of output and not what comes before them`,
      );
    this.#held.set(event.seq, event);
    this.#heldBytes += bytes;
  }

  /** Takes a `process/read` reply, which accounts for every seq below its `nextSeq`. */
  read(reply: ProcessReadResult): void {
    const chunks = new Map(reply.chunks.map((chunk) => [chunk.seq, chunk]));
    const end = reply.nextSeq - 1;
    const missing = this.#missing(chunks, end);
    const closedSeq = this.#seqOfClose(reply, missing, end);
    const exitSeq = this.#seqOfExit(reply, missing, closedSeq);
    while (this.#last < end) {
      const seq = this.#last + 1;
      const chunk = chunks.get(seq);
      const held = this.#held.get(seq);
      if (held !== undefined) this.#advance(held);
      else if (chunk !== undefined) {
        this.#advance({ type: 'output', seq, stream: chunk.stream, bytes: decodeChunk(chunk.chunk) });
      } else if (seq === exitSeq) {
        this.#advance({
          type: 'exited',
          seq,
          exitCode: checkedExitCode(reply.exitCode ?? -1),
          ...denialOf(reply),
        });
      } else if (seq === closedSeq) this.#advance({ type: 'closed', seq });
      else this.#skipGap(reply, missing, { exitSeq, closedSeq });
    }
    this.#releaseHeld();
  }

  #missing(chunks: ReadonlyMap<number, unknown>, end: number): Set<number> {
    const missing = new Set<number>();
    for (let seq = this.#last + 1; seq <= end; seq++) {
      if (!chunks.has(seq) && !this.#held.has(seq)) missing.add(seq);
    }
    return missing;
  }

  // Close is the highest seq there is.
  #seqOfClose(reply: ProcessReadResult, missing: ReadonlySet<number>, end: number): number | undefined {
    return reply.closed && !this.#isClosed && missing.has(end) ? end : undefined;
  }

  // Exit takes one seq and is never evicted, output is evicted oldest first: a missing seq behind retained output is
  // the exit. When nothing else tells, it is the last missing one.
  #seqOfExit(
    reply: ProcessReadResult,
    missing: ReadonlySet<number>,
    closedSeq: number | undefined,
  ): number | undefined {
    if (!reply.exited || this.#hasExited || this.#holdsExit()) return undefined;
    const { omitted } = reply;
    let candidate: number | undefined;
    for (const seq of missing) {
      if (seq === closedSeq) continue;
      if (omitted != null && seq >= omitted.fromSeq && seq <= omitted.toSeq) continue;
      candidate = seq;
    }
    if (candidate === undefined && reply.closed) {
      for (const seq of missing) if (seq !== closedSeq) candidate = seq;
    }
    return candidate;
  }

  #holdsExit(): boolean {
    for (const event of this.#held.values()) if (event.type === 'exited') return true;
    return false;
  }

  #skipGap(
    { omitted }: ProcessReadResult,
    missing: ReadonlySet<number>,
    known: { exitSeq: number | undefined; closedSeq: number | undefined },
  ): void {
    const fromSeq = this.#last + 1;
    let toSeq = fromSeq;
    while (missing.has(toSeq + 1) && toSeq + 1 !== known.exitSeq && toSeq + 1 !== known.closedSeq) toSeq++;
    const bytes =
      omitted != null && omitted.toSeq >= fromSeq && omitted.fromSeq <= toSeq ? omitted.bytes : null;
    this.#last = toSeq;
    this.#publish({ type: 'gap', gap: { fromSeq, toSeq, bytes, why: 'serverEvicted' } });
  }

  #releaseHeld(): void {
    for (const seq of this.#held.keys()) if (seq <= this.#last) this.#drop(seq);
    for (
      let next = this.#held.get(this.#last + 1);
      next !== undefined;
      next = this.#held.get(this.#last + 1)
    ) {
      this.#advance(next);
    }
  }

  #advance(event: SequencedEvent): void {
    this.#last++;
    this.#drop(this.#last);
    if (event.type === 'exited') this.#hasExited = true;
    if (event.type === 'closed') this.#isClosed = true;
    this.#publish(event);
  }

  #drop(seq: number): void {
    const held = this.#held.get(seq);
    if (held === undefined) return;
    this.#held.delete(seq);
    this.#heldBytes -= held.type === 'output' ? held.bytes.length : 0;
  }
}

/** Programs hand it to `process.exit`, which throws at what is no exit code. */
export function checkedExitCode(exitCode: unknown): number {
  if (typeof exitCode === 'number' && (exitCode | 0) === exitCode) return exitCode;
  throw violation('the server sent an exit code that is no integer of 32 bits');
}

/** What a reply or a notification says about the part of the sandbox. */
export function denialOf({
  sandboxDenied,
  denial,
  stopped,
}: Pick<ProcessReadResult, 'sandboxDenied' | 'denial' | 'stopped'>): Omit<ObservedExit, 'exitCode'> {
  return {
    denied: sandboxDenied === true,
    ...(denial == null ? {} : { evidence: denial }),
    ...(stopped == null ? {} : { stopped }),
  };
}

export function decodeChunk(chunk: Payload): Uint8Array {
  const bytes = payloadBytes(chunk);
  if (bytes !== undefined) return bytes;
  throw violation('the server sent output that is not base64');
}

function violation(message: string): ExecServerError {
  return new ExecServerError('protocol.violation', message, { details: { message } });
}
