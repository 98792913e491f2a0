// The output of one process in the order it was seen: one sequence over all streams, `exited` and `closed` included.
// Readers are cursors (sequence numbers) on it; what is dropped is always the oldest, so one range describes the loss.
// It decides nothing: what may be dropped, and when, is the caller's decision.
import { type CommandExit, exitDetails } from '../../end/command-exit.js';
import { MAX_OUTPUT_MESSAGE_BYTES } from '../output-message-size.js';
import { EvictedRange, type OmittedOutput } from './evicted-range.js';
import { hasRoom, OutputPages, type Page } from './output-pages.js';
import { StreamHeads } from './stream-heads.js';

export type OutputStream = 'stdout' | 'stderr' | 'pty';

export interface OutputBlock {
  readonly kind: 'output';
  readonly seq: number;
  readonly stream: OutputStream;
  readonly bytes: Uint8Array;
  /** When its first byte came. */
  readonly atMs: number;
  /** Where the block stands in its own stream. */
  readonly streamOffset: number;
}

export interface ExitedEvent extends CommandExit {
  readonly kind: 'exited';
  readonly seq: number;
  readonly atMs: number;
}

export interface ClosedEvent {
  readonly kind: 'closed';
  readonly seq: number;
  readonly atMs: number;
}

export type LogEntry = OutputBlock | ExitedEvent | ClosedEvent;

/** The newest block: no reader has seen it yet, so it may still grow. It ends where its page is filled to. */
interface OpenBlock {
  readonly stream: OutputStream;
  readonly streamOffset: number;
  /** Bytes of output before it, over all streams. */
  readonly offset: number;
  readonly page: Page;
  readonly start: number;
  readonly atMs: number;
  readonly event: undefined;
}

/**
 * A block as it is kept: where its bytes lie, and no view on them. A busy server keeps hundreds of thousands of blocks, and
 * the garbage collector looks at each object of each.
 */
interface KeptBlock extends OpenBlock {
  readonly end: number;
}

interface KeptEvent {
  readonly event: ExitedEvent | ClosedEvent;
  readonly offset: number;
  readonly page: undefined;
}

type Slot = KeptBlock | KeptEvent;

/** What an entry costs besides its bytes; without it a million one-byte blocks would look like one megabyte. */
export const ENTRY_OVERHEAD_BYTES = 160;

export class OutputLog {
  readonly heads: StreamHeads;
  readonly #pages = new OutputPages();
  readonly #now: () => number;
  readonly #evicted = new EvictedRange();
  readonly #streamBytes = { stdout: 0, stderr: 0, pty: 0 };
  /** Dropped entries leave an empty place at the front: moving the rest up for each of them would be quadratic. */
  #slots: (Slot | undefined)[] = [];
  #head = 0;
  #nextSlotSeq = 1;
  #open: OpenBlock | undefined;
  #totalBytes = 0;
  #mostBlockBytes = MAX_OUTPUT_MESSAGE_BYTES;
  #exited: ExitedEvent | undefined;
  #isClosed = false;

  constructor({ headBytes, now = Date.now }: { readonly headBytes: number; readonly now?: () => number }) {
    this.#now = now;
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

  /** The largest block that is made from here on, a page at most. */
  get mostBlockBytes(): number {
    return this.#mostBlockBytes;
  }

  set mostBlockBytes(bytes: number) {
    this.#pages.fit(bytes);
    this.#mostBlockBytes = bytes;
  }

  /** Copies the block. */
  append(stream: OutputStream, block: Uint8Array): void {
    for (let start = 0; start < block.length; ) {
      const end = start + this.#nextBytes(block.length - start);
      this.#appendBlock(stream, block.subarray(start, end));
      start = end;
    }
  }

  appendExited(exit: CommandExit): ExitedEvent {
    this.#seal();
    const { exitCode, sandboxDenied } = exit;
    const event: ExitedEvent = {
      kind: 'exited',
      seq: this.#nextSlotSeq,
      atMs: this.#now(),
      exitCode,
      sandboxDenied,
      ...exitDetails(exit),
    };
    this.#exited = event;
    this.#push({ event, offset: this.#totalBytes, page: undefined });
    return event;
  }

  appendClosed(): void {
    this.#seal();
    this.#pages.end();
    this.#isClosed = true;
    const event: ClosedEvent = { kind: 'closed', seq: this.#nextSlotSeq, atMs: this.#now() };
    this.#push({ event, offset: this.#totalBytes, page: undefined });
  }

  /** The event with that number, if it is retained. A block that was looked at stays as it is, for as long as wanted. */
  entry(seq: number): LogEntry | undefined {
    const slot = this.#slot(seq);
    if (slot?.page !== undefined) slot.page.isLent = true;
    return slot && this.#entryOf(slot, seq);
  }

  /**
   * The same for a caller that is done with the bytes before this turn ends: their memory may be used again after that.
   */
  glance(seq: number): LogEntry | undefined {
    const slot = this.#slot(seq);
    return slot && this.#entryOf(slot, seq);
  }

  /** What comes from here on belongs to a later event than what is there. */
  seal(): void {
    this.#seal();
  }

  /** Bytes of output before the event with that number, or before the oldest that is retained. */
  offsetAt(seq: number): number {
    return this.#offsetOf(Math.max(seq, this.firstSeq));
  }

  /** Drops the oldest event and returns what that freed. The newest stays. */
  evictOldest(): number {
    const slot = this.#slots[this.#head];
    const seq = this.firstSeq;
    if (slot === undefined || seq >= this.nextSeq - 1) return 0;
    const entry = this.#entryOf(slot, seq);
    this.#slots[this.#head++] = undefined;
    this.#compact();
    const bytes = entry.kind === 'output' ? entry.bytes.length : 0;
    if (entry.kind === 'output') this.heads.keep(entry);
    if (slot.page !== undefined) this.#pages.released(slot.page);
    this.#evicted.add(seq, slot.offset + bytes);
    return bytes + ENTRY_OVERHEAD_BYTES;
  }

  /** What of the events after `seq` has been dropped. */
  omittedAfter(seq: number): OmittedOutput | null {
    return this.#evicted.after(seq);
  }

  /**
   * A block that would leave much of a page unused is cut to fill it. One that is most of a page begins the next one: those
   * that follow in full flow are as long, and fit.
   */
  #nextBytes(wanted: number): number {
    const { room, pageBytes } = this.#pages;
    const isCut = room >= MAX_OUTPUT_MESSAGE_BYTES && wanted < (3 * pageBytes) / 4;
    return Math.min(wanted, this.#mostBlockBytes, isCut ? room : wanted);
  }

  #slot(seq: number): Slot | undefined {
    if (this.#open !== undefined && seq === this.#nextSlotSeq) this.#seal();
    return this.#slots[this.#head + seq - this.firstSeq];
  }

  #appendBlock(stream: OutputStream, block: Uint8Array): void {
    const open = this.#open;
    const page =
      open?.stream === stream && this.#canGrow(open, block.length) ? open.page : this.#begin(stream, block);
    page.memory.set(block, page.used);
    page.used += block.length;
    this.#streamBytes[stream] += block.length;
    this.#totalBytes += block.length;
  }

  #canGrow({ page, start }: OpenBlock, bytes: number): boolean {
    return hasRoom(page, bytes) && page.used - start + bytes <= this.#mostBlockBytes;
  }

  #begin(stream: OutputStream, { length }: Uint8Array): Page {
    this.#seal();
    const page = this.#pages.withRoom(length);
    const [streamOffset, offset] = [this.#streamBytes[stream], this.#totalBytes];
    this.#open = {
      stream,
      streamOffset,
      offset,
      page,
      start: page.used,
      atMs: this.#now(),
      event: undefined,
    };
    page.blocks++;
    return page;
  }

  #seal(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { stream, streamOffset, offset, page, start, atMs } = open;
    this.#push({ stream, streamOffset, offset, page, start, atMs, event: undefined, end: page.used });
  }

  #push(slot: Slot): void {
    this.#slots.push(slot);
    this.#nextSlotSeq++;
  }

  #entryOf(slot: Slot, seq: number): LogEntry {
    if (slot.event !== undefined) return slot.event;
    const { stream, streamOffset, page, start, end, atMs } = slot;
    return { kind: 'output', seq, stream, bytes: page.memory.subarray(start, end), streamOffset, atMs };
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
