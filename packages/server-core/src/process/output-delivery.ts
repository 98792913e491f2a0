// The output of one process on its way to the client: read from the child, kept in the log, pushed in order, and held
// back at the source when the client does not take it. What may be dropped depends on who is there to miss it.
import { encodeNotification, encodeOutputNotification, type WireMessage } from '@codex/exec-protocol';
import type { BulkHandle, BulkSource, RpcPeer } from '@codex/exec-rpc';
import type { ProcessOutput } from '@codex/launcher';
import type { Clock } from '../clock.js';
import type { OutputBudget, OutputHolder } from './output-budget.js';
import { type ExitedEvent, type LogEntry, OutputLog } from './output-log.js';
import type { ProcessLimits } from './process-limits.js';
import { PushPacer } from './push-pacer.js';
import { sharesOf } from './retained-shares.js';

/** Where a process stalls while the whole server is over its limit. */
const STALL_UNDER_PRESSURE_BYTES = 64 * 1024;

/**
 * - `held`: nobody is being sent to, but somebody may come back: nothing is dropped, the child stalls at the cap.
 * - `live`: pushed to a client; what was sent may be dropped at the cap, what was not stalls the child.
 * - `free`: nobody came back in time: the child runs on and the oldest output is dropped.
 */
type Mode = { readonly kind: 'held' | 'free' } | { readonly kind: 'live'; readonly handle: BulkHandle };

export interface OutputDeliveryOptions {
  readonly processId: string;
  readonly limits: ProcessLimits;
  readonly budget: OutputBudget;
  readonly clock: Clock;
  /** Something was added to the log. */
  readonly onChange: () => void;
  /** The client was sent everything up to and including `closed`. */
  readonly onDelivered: () => void;
}

export class OutputDelivery implements BulkSource, OutputHolder {
  readonly log: OutputLog;
  readonly #options: OutputDeliveryOptions;
  readonly #pacer: PushPacer;
  readonly #unsentMark: number;
  #outputs: readonly ProcessOutput[] = [];
  #mode: Mode = { kind: 'held' };
  /** The next event to push. */
  #cursor = 1;
  #chargedBytes = 0;
  #isStalled = false;
  #isDelivered = false;
  #isDisposed = false;
  readonly #whenSettled: (() => void)[] = [];

  constructor(options: OutputDeliveryOptions) {
    this.#options = options;
    const { unsentOutputBytesPerProcess, retainedOutputBytesPerProcess } = options.limits;
    this.#unsentMark = Math.min(
      unsentOutputBytesPerProcess,
      sharesOf(retainedOutputBytesPerProcess).unsentBytes,
    );
    this.log = new OutputLog({ headBytes: options.limits.snapshotHeadBytes });
    this.#pacer = new PushPacer(options.clock, () => this.#wake());
    options.budget.add(this);
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** `closed` went out to a client. */
  get isDelivered(): boolean {
    return this.#isDelivered;
  }

  /** Resolves when everything was sent, or when the output is no longer wanted. */
  settled(): Promise<void> {
    const isSent = this.log.isClosed && this.#cursor >= this.log.nextSeq;
    if (isSent || this.#isDisposed) return Promise.resolve();
    return new Promise((resolve) => this.#whenSettled.push(resolve));
  }

  /** Begins to read; `onEnd` follows the last block of the last stream. */
  readFrom(outputs: readonly ProcessOutput[], onEnd: () => void): void {
    this.#outputs = outputs;
    let open = outputs.length;
    if (open === 0) onEnd();
    for (const output of outputs) {
      output.start(
        (block) => {
          if (this.#isDisposed) return;
          this.log.append(output.stream, block);
          this.#review();
          // A child that is stalled until something is sent brings no company.
          if (this.#isStalled) this.#wake();
          else this.#pacer.came(this.log.costFrom(this.#cursor));
          this.#options.onChange();
        },
        () => {
          if (--open > 0) return;
          this.#outputs = [];
          onEnd();
        },
        { transient: true },
      );
    }
    if (this.#isStalled) for (const output of outputs) output.pause();
  }

  exited(exit: Omit<ExitedEvent, 'kind' | 'seq'>): void {
    this.log.appendExited(exit);
    this.#options.budget.ended(this);
    this.#ending();
  }

  closed(): void {
    this.log.appendClosed();
    this.#ending();
  }

  /** Pushes to this client from the given event on, or from where the last push ended. */
  goLive(peer: RpcPeer, fromSeq = this.#cursor): void {
    this.#leaveLive();
    this.#cursor = fromSeq;
    const handle = peer.addBulkSource(this);
    this.#mode = { kind: 'live', handle };
    this.#review();
    this.#options.budget.moreMayGo();
    // A client that has read up to the end needs to be sent nothing.
    if (this.log.isClosed && fromSeq >= this.log.nextSeq) this.#delivered(handle);
  }

  /** The client is gone, or has not said yet where it wants to go on. */
  hold(): void {
    this.#leaveLive();
    this.#mode = { kind: 'held' };
    this.#review();
  }

  /** Nobody came back in time. */
  release(): void {
    if (this.#mode.kind !== 'held') return;
    this.#mode = { kind: 'free' };
    this.#review();
    this.#options.budget.moreMayGo();
  }

  /** The log is no longer wanted: whatever still comes is read and dropped, so that the child is not stalled by it. */
  dispose(): void {
    this.#leaveLive();
    this.#mode = { kind: 'free' };
    this.#options.budget.charge(-this.#chargedBytes);
    this.#options.budget.remove(this);
    this.#isDisposed = true;
    this.#setStalled(false);
    this.#settle();
  }

  /** The tree is gone and nobody wants its output: whoever outside still holds the other end is not waited for. */
  abandon(): void {
    for (const output of [...this.#outputs]) output.discard();
  }

  next(): WireMessage | undefined {
    if (this.#mode.kind !== 'live') return undefined;
    const entry = this.#takeNext();
    if (entry === undefined) return undefined;
    this.#review();
    this.#options.budget.moreMayGo();
    if (entry.kind === 'output') this.#pacer.sent(entry.bytes.length);
    else if (entry.kind === 'closed') this.#delivered(this.#mode.handle);
    return encodeEntry(this.#options.processId, entry);
  }

  giveUp({ evenUnsent }: { readonly evenUnsent: boolean }): number {
    const freed = evenUnsent && this.#mode.kind !== 'live' ? this.log.evictOldest() : this.#evictAllowed();
    if (freed > 0) this.#charge();
    return freed;
  }

  pressureChanged(): void {
    this.#review();
  }

  #ending(): void {
    this.#review();
    this.#wake();
    this.#options.onChange();
  }

  #wake(): void {
    if (this.#mode.kind === 'live') this.#mode.handle.wake();
  }

  /** An exit is announced even where the log has dropped it: the client would wait for it for ever. */
  #takeNext(): LogEntry | undefined {
    const { exited, firstSeq } = this.log;
    if (this.#cursor < firstSeq) {
      const missedExit = exited !== undefined && exited.seq >= this.#cursor && exited.seq < firstSeq;
      this.#cursor = missedExit ? exited.seq + 1 : firstSeq;
      if (missedExit) return exited;
    }
    const entry = this.log.glance(this.#cursor);
    if (entry !== undefined) this.#cursor++;
    return entry;
  }

  #delivered(handle: BulkHandle): void {
    this.#isDelivered = true;
    queueMicrotask(() => {
      handle.remove();
      this.#options.onDelivered();
      this.#settle();
    });
  }

  #settle(): void {
    for (const resolve of this.#whenSettled.splice(0)) resolve();
  }

  #review(): void {
    if (this.#isDisposed) return;
    const { retainedOutputBytesPerProcess } = this.#options.limits;
    while (this.log.retainedCost > retainedOutputBytesPerProcess && this.#evictAllowed() > 0);
    this.#charge();
    this.#setStalled(this.#shouldStall());
  }

  #evictAllowed(): number {
    if (this.#mode.kind === 'held') return 0;
    if (this.#mode.kind === 'live' && this.log.firstSeq >= this.#cursor) return 0;
    return this.log.evictOldest();
  }

  #shouldStall(): boolean {
    const { limits, budget } = this.#options;
    const cap = limits.retainedOutputBytesPerProcess;
    switch (this.#mode.kind) {
      case 'free':
        return budget.isExhausted;
      case 'held':
        return budget.isExhausted || this.log.retainedCost >= cap;
      case 'live': {
        const pressure = budget.isExhausted ? STALL_UNDER_PRESSURE_BYTES : Number.POSITIVE_INFINITY;
        const mark = Math.min(this.#unsentMark, pressure);
        // Half of the mark has to be gone before reading goes on, or every block would start and stop it.
        return this.log.costFrom(this.#cursor) >= (this.#isStalled ? mark / 2 : mark);
      }
    }
  }

  #setStalled(stalled: boolean): void {
    if (stalled === this.#isStalled) return;
    this.#isStalled = stalled;
    for (const output of this.#outputs) {
      if (stalled) output.pause();
      else output.resume();
    }
  }

  #charge(): void {
    const cost = this.log.retainedCost;
    const change = cost - this.#chargedBytes;
    if (change === 0) return;
    this.#chargedBytes = cost;
    this.#options.budget.charge(change);
  }

  #leaveLive(): void {
    if (this.#mode.kind === 'live') this.#mode.handle.remove();
  }
}

function encodeEntry(processId: string, entry: LogEntry): WireMessage {
  const { seq } = entry;
  switch (entry.kind) {
    case 'output':
      return encodeOutputNotification({ processId, seq, stream: entry.stream }, entry.bytes);
    case 'exited': {
      const { exitCode, sandboxDenied, denial } = entry;
      return encodeNotification('process/exited', { processId, seq, exitCode, sandboxDenied, denial });
    }
    case 'closed':
      return encodeNotification('process/closed', { processId, seq });
  }
}
