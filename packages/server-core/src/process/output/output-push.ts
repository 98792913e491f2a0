// Sends a process's output out: a cursor on its log that the connection pulls from, one message at a time, paced where
// output is in full flow. It knows how far the client has read what was sent.
import {
  type Clock,
  encodeNotification,
  encodeOutputNotification,
  type WireMessage,
} from '@codex/exec-protocol';
import type { BulkHandle, BulkSource, RpcPeer } from '@codex/exec-rpc';
import { ConfirmedPosition } from './confirmed-position.js';
import type { LogEntry, OutputLog } from './log/output-log.js';
import { MAX_OUTPUT_MESSAGE_BYTES } from './output-message-size.js';
import { PushPacer } from './push-pacer.js';

export interface OutputPushOptions {
  readonly processId: string;
  readonly log: OutputLog;
  readonly clock: Clock;
  /** Nothing more comes before something is sent. */
  readonly isStalled: () => boolean;
  /** A message was taken, or everything before it is known to be read. */
  readonly onSent: () => void;
  /** The client was sent everything up to and including `closed`. */
  readonly onDelivered: () => void;
}

export class OutputPush implements BulkSource {
  readonly #options: OutputPushOptions;
  readonly #pacer: PushPacer;
  readonly #confirmed = new ConfirmedPosition();
  #handle: BulkHandle | undefined;
  /** The next event to send. */
  #cursor = 1;
  #isDelivered = false;

  constructor(options: OutputPushOptions) {
    this.#options = options;
    this.#pacer = new PushPacer(options.clock, () => this.wake());
  }

  get isLive(): boolean {
    return this.#handle !== undefined;
  }

  /** `closed` went out to a client. */
  get isDelivered(): boolean {
    return this.#isDelivered;
  }

  get isEverythingSent(): boolean {
    const { log } = this.#options;
    return log.isClosed && this.#cursor >= log.nextSeq;
  }

  get unsentBytes(): number {
    return this.#options.log.costFrom(this.#cursor);
  }

  /** The client has every event before this one. Of one that does not tell what it reads, it counts what was sent. */
  get confirmedSeq(): number {
    if (this.#handle === undefined) return this.#confirmed.seq;
    const read = this.#handle.progress?.readBytes;
    if (read === undefined) return this.#cursor;
    this.#confirmed.read(read);
    return this.#confirmed.seq;
  }

  /** A client that came back says that it has everything before this event. */
  confirm(seq: number): void {
    this.#confirmed.told(Math.min(seq, this.#options.log.nextSeq));
  }

  /** Sends to this client from the given event on, or from where the last one was sent to. */
  start(peer: RpcPeer, fromSeq = this.#cursor): void {
    this.stop();
    this.#cursor = fromSeq;
    const handle = peer.addBulkSource(this);
    this.#handle = handle;
    // What a reply has told of is before what is sent from here on.
    this.#confirmed.begin(fromSeq, handle.progress?.sentBytes ?? 0);
  }

  /** A client that has read up to the end needs to be sent nothing. */
  finishIfRead(): void {
    if (this.#handle !== undefined && this.isEverythingSent) this.#delivered(this.#handle);
  }

  stop(): void {
    const handle = this.#handle;
    if (handle === undefined) return;
    const read = handle.progress?.readBytes;
    if (read !== undefined) this.#confirmed.read(read);
    handle.remove();
    this.#handle = undefined;
  }

  /** Output has come. */
  came(): void {
    if (this.#mayGo()) this.wake();
  }

  wake(): void {
    this.#handle?.wake();
  }

  next(): WireMessage | undefined {
    const handle = this.#handle;
    if (handle === undefined || this.#isHeldBack()) return undefined;
    if (handle.progress !== undefined) this.#confirmed.sent(this.#cursor, handle.progress.sentBytes);
    const entry = this.#takeNext();
    if (entry === undefined) return undefined;
    this.#options.onSent();
    if (entry.kind === 'output') this.#pacer.sent(entry.bytes.length);
    else if (entry.kind === 'closed') this.#delivered(handle);
    return encodeEntry(this.#options.processId, entry);
  }

  #mayGo(): boolean {
    const { log, isStalled } = this.#options;
    const isLast = log.exited !== undefined || log.isClosed || isStalled();
    return isLast || this.#pacer.mayGo(this.unsentBytes, log.mostBlockBytes);
  }

  /**
   * A connection that has room again asks for what is there. A piece of a large message would cost both ends as much as all of
   * it, so it waits for the rest, a millisecond at most. A message of the usual size is hardly ever half full.
   */
  #isHeldBack(): boolean {
    const isLarge = this.#options.log.mostBlockBytes > MAX_OUTPUT_MESSAGE_BYTES;
    return isLarge && this.unsentBytes > 0 && !this.#mayGo();
  }

  /** An exit is announced even where the log has dropped it: the client would wait for it for ever. */
  #takeNext(): LogEntry | undefined {
    const { exited, firstSeq } = this.#options.log;
    if (this.#cursor < firstSeq) {
      const missedExit = exited !== undefined && exited.seq >= this.#cursor && exited.seq < firstSeq;
      this.#cursor = missedExit ? exited.seq + 1 : firstSeq;
      if (missedExit) return exited;
    }
    const entry = this.#options.log.glance(this.#cursor);
    if (entry !== undefined) this.#cursor++;
    return entry;
  }

  #delivered(handle: BulkHandle): void {
    this.#isDelivered = true;
    queueMicrotask(() => {
      handle.remove();
      // The message that said so is sent by now, and nothing follows it.
      if (this.#handle === handle && handle.progress !== undefined)
        this.#confirmed.sent(this.#cursor, handle.progress.sentBytes);
      this.#options.onDelivered();
    });
  }
}

function encodeEntry(processId: string, entry: LogEntry): WireMessage {
  const { seq } = entry;
  switch (entry.kind) {
    case 'output':
      return encodeOutputNotification({ processId, seq, stream: entry.stream }, entry.bytes);
    case 'exited': {
      const { exitCode, sandboxDenied, denial, stopped } = entry;
      const end = { exitCode, sandboxDenied, denial, stopped };
      return encodeNotification('process/exited', { processId, seq, ...end });
    }
    case 'closed':
      return encodeNotification('process/closed', { processId, seq });
  }
}
