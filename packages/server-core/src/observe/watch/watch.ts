// One observer's look at one process: a cursor of its own on the log. It decides nothing about the process: what the log
// drops is not kept for it, and what is not taken stays where it is. It reads the log ten milliseconds after something
// came, so that it does not cut into small pieces what the owner is about to be sent in one.
import {
  type Clock,
  encodeNotification,
  encodeWatchedOutput,
  type Timer,
  type WireMessage,
} from '@codex/exec-protocol';
import type { BulkHandle, BulkSource, RpcPeer } from '@codex/exec-rpc';
import type { LogEntry } from '../../process/output/log/output-log.js';
import type { ProcessWatcher, ProcessWatchers } from '../../process/read/process-watchers.js';
import type { SizeCursor, TerminalSizes } from '../../process/read/terminal-sizes.js';
import { costOf, LogTail, seqForTail, type WatchedLog } from './watched-log.js';

/** A process that is there, or one that is past. */
export interface WatchedProcess {
  /** The handle of its session. */
  readonly session: string;
  readonly output: { readonly log: WatchedLog };
  readonly sizes: Pick<TerminalSizes, 'cursor'>;
  readonly watchers: Pick<ProcessWatchers, 'add' | 'delete'>;
  readonly isPast: boolean;
}

export interface WatchOptions {
  readonly name: string;
  readonly process: WatchedProcess;
  readonly peer: RpcPeer;
  readonly clock: Clock;
  readonly fromSeq: number;
  readonly mode: 'complete' | 'latest';
  readonly windowBytes: number;
  /** Nothing more comes. */
  readonly onEnd: (watch: Watch) => void;
}

type EndReason = 'complete' | 'forgotten' | 'sessionEnded';

const LOOK_MS = 10;

export class Watch implements BulkSource, ProcessWatcher {
  readonly name: string;
  readonly process: WatchedProcess;
  readonly #options: WatchOptions;
  readonly #sizes: SizeCursor;
  #log: WatchedLog;
  #handle: BulkHandle | undefined;
  /** The next event to send, and the bytes of output before it. */
  #cursor: number;
  #offset: number;
  /** Sent and not acknowledged, oldest first. */
  readonly #inFlight: { readonly seq: number; readonly cost: number }[] = [];
  #inFlightCost = 0;
  #isBlocked = false;
  #look: Timer | undefined;
  /** Told next, ahead of the log. */
  readonly #next: WireMessage[] = [];
  #end: EndReason | undefined;

  constructor(options: WatchOptions) {
    const { name, process, fromSeq } = options;
    this.name = name;
    this.process = process;
    this.#options = options;
    this.#log = process.output.log;
    this.#cursor = fromSeq;
    this.#offset = this.#log.offsetAt(fromSeq);
    this.#sizes = process.sizes.cursor(fromSeq);
    process.watchers.add(this);
    if (process.isPast) this.#end = 'forgotten';
  }

  /** Begins to send. */
  start(): void {
    this.#handle = this.#options.peer.addBulkSource(this);
  }

  changed(): void {
    if (this.#look !== undefined || this.#isBlocked) return;
    this.#look = this.#options.clock.schedule(LOOK_MS, () => {
      this.#look = undefined;
      this.#handle?.wake();
    });
  }

  /** What is left is copied, as much as the window holds; the rest is a gap. */
  forgotten(reason: Exclude<EndReason, 'complete'>): void {
    const tail = seqForTail(this.#log, this.#options.windowBytes);
    this.#log = new LogTail(this.#log, Math.max(this.#cursor, tail));
    this.#end = reason;
    this.#handle?.wake();
  }

  /** The observer has taken everything up to this event. */
  acknowledge(seq: number): void {
    while ((this.#inFlight[0]?.seq ?? Number.POSITIVE_INFINITY) <= seq) {
      this.#inFlightCost -= this.#inFlight.shift()?.cost ?? 0;
    }
    if (!this.#isBlocked) return;
    this.#isBlocked = false;
    this.#handle?.wake();
  }

  /** Nothing more is sent. */
  close(): void {
    this.process.watchers.delete(this);
    this.#look?.cancel();
    this.#handle?.remove();
    this.#handle = undefined;
    this.#options.onEnd(this);
  }

  next(): WireMessage | undefined {
    if (this.#handle === undefined) return undefined;
    const ready = this.#next.shift() ?? this.#gap() ?? this.#entry();
    if (ready !== undefined || this.#isBlocked || this.#end === undefined) return ready;
    const message = encodeNotification('observe/ended', { watch: this.name, reason: this.#end });
    this.close();
    return message;
  }

  /** What is between the cursor and the events that can still be had, or are wanted. */
  #gap(): WireMessage | undefined {
    const log = this.#log;
    if (this.#cursor < log.firstSeq) return this.#jump(log.firstSeq, 'evicted');
    const { mode, windowBytes } = this.#options;
    if (mode === 'complete' || log.costFrom(this.#cursor) <= windowBytes) return undefined;
    const newest = seqForTail(log, windowBytes / 2);
    return newest > this.#cursor ? this.#jump(newest, 'skipped') : undefined;
  }

  #jump(toSeq: number, why: 'evicted' | 'skipped'): WireMessage {
    const { exited } = this.#log;
    const [fromSeq, fromOffset] = [this.#cursor, this.#offset];
    this.#cursor = toSeq;
    this.#offset = this.#log.offsetAt(toSeq);
    const size = this.#lastSize(toSeq);
    if (size !== undefined) this.#next.push(size);
    // An exit is told even where the log has dropped it: the observer would wait for it for ever.
    if (exited !== undefined && exited.seq >= fromSeq && exited.seq < toSeq)
      this.#next.push(this.#encode(exited));
    const bytes = this.#offset - fromOffset;
    return encodeNotification('observe/gap', { watch: this.name, fromSeq, toSeq: toSeq - 1, bytes, why });
  }

  #lastSize(upToSeq: number): WireMessage | undefined {
    let last: WireMessage | undefined;
    for (let size = this.#size(upToSeq); size !== undefined; size = this.#size(upToSeq)) last = size;
    return last;
  }

  #size(upToSeq: number): WireMessage | undefined {
    if (this.#sizes.isDone()) return undefined;
    const size = this.#sizes.next(upToSeq);
    return size && encodeNotification('observe/resized', { watch: this.name, ...size });
  }

  #entry(): WireMessage | undefined {
    const resized = this.#size(this.#cursor);
    if (resized !== undefined) return resized;
    // A full window does not look: looking ends the newest block.
    if (this.#inFlightCost >= this.#options.windowBytes) {
      this.#isBlocked = this.#cursor < this.#log.nextSeq;
      if (this.#isBlocked) return undefined;
    }
    const entry = this.#log.glance(this.#cursor);
    if (entry === undefined) return undefined;
    const cost = costOf(entry);
    if (this.#inFlightCost > 0 && this.#inFlightCost + cost > this.#options.windowBytes) {
      this.#isBlocked = true;
      return undefined;
    }
    this.#inFlight.push({ seq: entry.seq, cost });
    this.#inFlightCost += cost;
    this.#cursor++;
    if (entry.kind === 'output') this.#offset += entry.bytes.length;
    if (entry.kind === 'closed') this.#end = 'complete';
    return this.#encode(entry);
  }

  #encode(entry: LogEntry): WireMessage {
    const { name: watch } = this;
    const { seq, atMs } = entry;
    switch (entry.kind) {
      case 'output':
        return encodeWatchedOutput({ watch, seq, atMs, stream: entry.stream }, entry.bytes);
      case 'exited': {
        const { exitCode, sandboxDenied, denial, stopped } = entry;
        const end = { exitCode, sandboxDenied, denial, stopped };
        return encodeNotification('observe/exited', { watch, seq, atMs, ...end });
      }
      case 'closed':
        return encodeNotification('observe/closed', { watch, seq, atMs });
    }
  }
}
