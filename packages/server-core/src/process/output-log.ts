// The output of one process in the order it was seen: one sequence over all streams, `exited` and `closed` included.
// Readers are cursors (sequence numbers) on it; what is dropped is always the oldest, so one range describes the loss.
// It decides nothing: who may drop what, and when, is the caller's.
import { EvictedRange, type OmittedOutput } from './evicted-range.js';
import { StreamHeads } from './stream-heads.js';

export type OutputStream = 'stdout' | 'stderr' | 'pty';

export interface OutputBlock {
  readonly kind: 'output';
  readonly seq: number;
  readonly stream: OutputStream;
  readonly bytes: Uint8Array;
  /** Where the block stands in its own stream. */
  readonly streamOffset: number;
}

export interface ExitedEvent {
  readonly kind: 'exited';
  readonly seq: number;
  readonly exitCode: number;
  readonly sandboxDenied: boolean;
}

export interface ClosedEvent {
  readonly kind: 'closed';
  readonly seq: number;
}

export type LogEntry = OutputBlock | ExitedEvent | ClosedEvent;

interface Slot {
  readonly entry: LogEntry;
  /** Bytes of output before this entry, over all streams. */
  readonly offset: number;
}

/** A block that nobody has seen yet and that may therefore still grow. */
interface OpenBlock {
  readonly stream: OutputStream;
  readonly streamOffset: number;
  readonly offset: number;
  buffer: Uint8Array;
  length: number;
}

export const MAX_BLOCK_BYTES = 256 * 1024;
/** Blocks from this size on are kept as they are: copying them together costs more than a message saves. */
const MERGE_BELOW_BYTES = 32 * 1024;
const SMALLEST_MERGE_BUFFER = 4096;
/** What an entry costs besides its bytes; without it a million one-byte blocks would look like one megabyte. */
export const ENTRY_OVERHEAD_BYTES = 160;

export class OutputLog {
  readonly heads: StreamHeads;
  readonly #evicted = new EvictedRange();
  readonly #streamBytes = { stdout: 0, stderr: 0, pty: 0 };
  #slots: Slot[] = [];
  /** Index of the oldest retained slot: dropping from the front of an array for every block would be quadratic. */
  #head = 0;
  #nextSlotSeq = 1;
  #open: OpenBlock | undefined;
  #totalBytes = 0;
  #exited: ExitedEvent | undefined;

  constructor({ headBytes }: { readonly headBytes: number }) {
    this.heads = new StreamHeads(headBytes);
  }

  /** The sequence number that the next event will take. */
  get nextSeq(): number {
    return this.#nextSlotSeq + (this.#open === undefined ? 0 : 1);
  }

  /** The oldest event that is still there. */
  get firstSeq(): number {
    return this.#nextSlotSeq - (this.#slots.length - this.#head);
  }

  get exited(): ExitedEvent | undefined {
    return this.#exited;
  }

  /** Bytes that the stream has produced in all. */
  streamBytes(stream: OutputStream): number {
    return this.#streamBytes[stream];
  }

  /** What the retained entries cost. */
  get retainedCost(): number {
    return this.costFrom(this.firstSeq);
  }

  /** What the entries from `seq` on cost. */
  costFrom(seq: number): number {
    const from = Math.max(seq, this.firstSeq);
    if (from >= this.nextSeq) return 0;
    return this.#totalBytes - this.#offsetOf(from) + (this.nextSeq - from) * ENTRY_OVERHEAD_BYTES;
  }

  append(stream: OutputStream, block: Uint8Array): void {
    for (let start = 0; start < block.length; start += MAX_BLOCK_BYTES) {
      this.#appendBlock(stream, block.subarray(start, start + MAX_BLOCK_BYTES));
    }
  }

  appendExited(exit: { readonly exitCode: number; readonly sandboxDenied: boolean }): ExitedEvent {
    this.#seal();
    const event: ExitedEvent = { kind: 'exited', seq: this.#nextSlotSeq, ...exit };
    this.#exited = event;
    this.#push(event, this.#totalBytes);
    return event;
  }

  appendClosed(): void {
    this.#seal();
    this.#push({ kind: 'closed', seq: this.#nextSlotSeq }, this.#totalBytes);
  }

  /** The event with that number, if it is retained. A block that was looked at stays as it is. */
  entry(seq: number): LogEntry | undefined {
    if (this.#open !== undefined && seq === this.#nextSlotSeq) this.#seal();
    return this.#slots[this.#head + seq - this.firstSeq]?.entry;
  }

  /** Drops the oldest event and returns what that freed. The newest stays. */
  evictOldest(): number {
    const slot = this.#slots[this.#head];
    if (slot === undefined || slot.entry.seq >= this.nextSeq - 1) return 0;
    const { entry } = slot;
    this.#head++;
    this.#compact();
    const bytes = entry.kind === 'output' ? entry.bytes.length : 0;
    if (entry.kind === 'output') this.heads.keep(entry);
    this.#evicted.add(entry.seq, slot.offset + bytes);
    return bytes + ENTRY_OVERHEAD_BYTES;
  }

  /** What of the events after `seq` has been dropped. */
  omittedAfter(seq: number): OmittedOutput | null {
    return this.#evicted.after(seq);
  }

  #appendBlock(stream: OutputStream, block: Uint8Array): void {
    const open = this.#open;
    const fits = open?.stream === stream && open.length + block.length <= MAX_BLOCK_BYTES;
    if (open !== undefined && fits && block.length < MERGE_BELOW_BYTES) {
      growWith(open, block);
    } else {
      this.#seal();
      this.#open = {
        stream,
        streamOffset: this.#streamBytes[stream],
        offset: this.#totalBytes,
        buffer: ownBytes(block),
        length: block.length,
      };
    }
    this.#streamBytes[stream] += block.length;
    this.#totalBytes += block.length;
  }

  #seal(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { stream, streamOffset, offset } = open;
    const bytes = open.buffer.subarray(0, open.length);
    this.#push({ kind: 'output', seq: this.#nextSlotSeq, stream, bytes, streamOffset }, offset);
  }

  #push(entry: LogEntry, offset: number): void {
    this.#slots.push({ entry, offset });
    this.#nextSlotSeq++;
  }

  #offsetOf(seq: number): number {
    if (seq >= this.#nextSlotSeq) return this.#open?.offset ?? this.#totalBytes;
    return this.#slots[this.#head + seq - this.firstSeq]?.offset ?? this.#totalBytes;
  }

  #compact(): void {
    if (this.#head < 1024 || this.#head * 2 < this.#slots.length) return;
    this.#slots = this.#slots.slice(this.#head);
    this.#head = 0;
  }
}

/** Doubles the buffer, so that each byte is copied about once however small the pieces are. */
function growWith(open: OpenBlock, block: Uint8Array): void {
  const needed = open.length + block.length;
  if (needed > open.buffer.length) {
    const size = Math.min(MAX_BLOCK_BYTES, Math.max(SMALLEST_MERGE_BUFFER, needed * 2));
    const grown = new Uint8Array(size);
    grown.set(open.buffer.subarray(0, open.length));
    open.buffer = grown;
  }
  open.buffer.set(block, open.length);
  open.length = needed;
}

/** A small view of a large buffer would keep all of it in memory. */
function ownBytes(block: Uint8Array): Uint8Array {
  return block.length * 2 < block.buffer.byteLength ? Uint8Array.prototype.slice.call(block) : block;
}
