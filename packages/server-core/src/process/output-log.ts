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
  /** The bytes so far; behind them there may be room when the buffer is ours. */
  buffer: Uint8Array;
  length: number;
  isOurs: boolean;
}

export const MAX_BLOCK_BYTES = 256 * 1024;
/** Blocks from this size on are never copied together: that costs more than a message saves. */
const MERGE_BELOW_BYTES = 32 * 1024;
/** A view that uses less than this share of its memory is copied, or a few bytes would keep a whole read buffer alive. */
const LEAST_USED_SHARE = 1 / 8;
const SMALLEST_MERGE_BUFFER = 4096;
/** What an entry costs besides its bytes; without it a million one-byte blocks would look like one megabyte. */
export const ENTRY_OVERHEAD_BYTES = 160;

export class OutputLog {
  readonly heads: StreamHeads;
  readonly #evicted = new EvictedRange();
  readonly #streamBytes = { stdout: 0, stderr: 0, pty: 0 };
  /** Dropped entries leave an empty place at the front: moving the rest up for each of them would be quadratic. */
  #slots: (Slot | undefined)[] = [];
  #head = 0;
  #nextSlotSeq = 1;
  #open: OpenBlock | undefined;
  #totalBytes = 0;
  #exited: ExitedEvent | undefined;
  #isClosed = false;

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

  /** `closed` is in the log: nothing follows it. */
  get isClosed(): boolean {
    return this.#isClosed;
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
    this.#isClosed = true;
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
    this.#slots[this.#head++] = undefined;
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
    if (open?.stream !== stream || !growWith(open, block)) {
      this.#seal();
      const [streamOffset, offset] = [this.#streamBytes[stream], this.#totalBytes];
      this.#open = { stream, streamOffset, offset, buffer: block, length: block.length, isOurs: false };
    }
    this.#streamBytes[stream] += block.length;
    this.#totalBytes += block.length;
  }

  #seal(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { stream, streamOffset, offset } = open;
    const bytes = ownBytes(open.buffer.subarray(0, open.length));
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

/** Adds the block where that is cheap: it lies right behind in memory, or it is small enough to be copied. */
function growWith(open: OpenBlock, block: Uint8Array): boolean {
  const needed = open.length + block.length;
  if (needed > MAX_BLOCK_BYTES) return false;
  if (isAdjacent(open, block)) {
    open.buffer = new Uint8Array(open.buffer.buffer, open.buffer.byteOffset, needed);
  } else {
    if (block.length >= MERGE_BELOW_BYTES) return false;
    if (!open.isOurs || needed > open.buffer.length) makeRoom(open, needed);
    open.buffer.set(block, open.length);
  }
  open.length = needed;
  return true;
}

function isAdjacent({ buffer, length, isOurs }: OpenBlock, block: Uint8Array): boolean {
  return !isOurs && buffer.buffer === block.buffer && buffer.byteOffset + length === block.byteOffset;
}

/** Twice what is needed, so that each byte is copied about once however small the pieces are. */
function makeRoom(open: OpenBlock, needed: number): void {
  const grown = new Uint8Array(Math.min(MAX_BLOCK_BYTES, Math.max(SMALLEST_MERGE_BUFFER, needed * 2)));
  grown.set(open.buffer.subarray(0, open.length));
  open.buffer = grown;
  open.isOurs = true;
}

function ownBytes(view: Uint8Array): Uint8Array {
  const isWasteful = view.length < view.buffer.byteLength * LEAST_USED_SHARE;
  return isWasteful ? Uint8Array.prototype.slice.call(view) : view;
}
