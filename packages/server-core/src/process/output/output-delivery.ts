// The output of one process between its child and its client: taken in (`output-intake.ts`), kept in the log, sent out
// (`output-push.ts`). It decides what of the log may be dropped, by mode (`output-mode.ts`).
import type { Clock } from '@codex/exec-protocol';
import type { RpcPeer } from '@codex/exec-rpc';
import type { ProcessOutput } from '@codex/launcher';
import type { CommandExit } from '../end/command-exit.js';
import type { ProcessLimits } from '../process-limits.js';
import { OutputLog, type OutputStream } from './log/output-log.js';
import type { OutputBudget, OutputHolder } from './output-budget.js';
import { OutputIntake } from './output-intake.js';
import { MAX_BINARY_OUTPUT_MESSAGE_BYTES, MAX_OUTPUT_MESSAGE_BYTES } from './output-message-size.js';
import type { OutputMode } from './output-mode.js';
import { OutputPush } from './output-push.js';
import { OutputStall } from './output-stall.js';

/**
 * The most that the pipes of stdout and stderr hold (twice `/proc/sys/fs/pipe-max-size` of an ordinary user), and so the most
 * that an ended command can have left in them.
 */
const LARGEST_PIPES_BYTES = 2 * 1024 * 1024;

/**
 * After the end was sent: most clients that want to look back have done so, and it is known what was read. A second look finds
 * what a slow client has read since, or one that is only now asked for its position.
 */
const TRIM_AFTER_MS = [2000, 10_000];

const LEAST_RETAINED_FOR_LARGE_BLOCKS = 16 * MAX_BINARY_OUTPUT_MESSAGE_BYTES;

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

export class OutputDelivery implements OutputHolder {
  readonly log: OutputLog;
  readonly #options: OutputDeliveryOptions;
  readonly #intake: OutputIntake;
  readonly #push: OutputPush;
  readonly #stall: OutputStall;
  #mode: OutputMode = 'held';
  #chargedBytes = 0;
  #isDiscarded = false;
  /** What may be taken in although the child is stalled. */
  #exemptBytes = 0;
  readonly #whenSettled: (() => void)[] = [];

  constructor(options: OutputDeliveryOptions) {
    this.#options = options;
    const { processId, limits, budget, clock } = options;
    const log = new OutputLog({ headBytes: limits.snapshotHeadBytes });
    this.log = log;
    this.#stall = new OutputStall(limits);
    this.#intake = new OutputIntake({
      onBlock: (stream, block) => {
        if (this.#isDiscarded) return;
        log.append(stream, block);
        this.#exemptBytes = Math.max(0, this.#exemptBytes - block.length);
        this.#review();
        this.#push.came();
        options.onChange();
      },
    });
    this.#push = new OutputPush({
      processId,
      log,
      clock,
      isStalled: () => this.#intake.isStalled,
      onSent: () => {
        this.#review();
        budget.moreMayGo();
      },
      onDelivered: () => {
        options.onDelivered();
        this.#settle();
        if (log.retainedCost <= limits.retainedReadOutputBytesPerEndedProcess) return;
        for (const delay of TRIM_AFTER_MS) clock.schedule(delay, () => this.#trim());
      },
    });
    budget.add(this);
  }

  get isStalled(): boolean {
    return this.#intake.isStalled;
  }

  /** `closed` went out to a client. */
  get isDelivered(): boolean {
    return this.#push.isDelivered;
  }

  /** The client is known to have everything, `closed` included. */
  get isRead(): boolean {
    return this.log.isClosed && this.#push.confirmedSeq >= this.log.nextSeq;
  }

  /** Resolves when everything was sent, or when the output is no longer wanted. */
  settled(): Promise<void> {
    if (this.#push.isEverythingSent || this.#isDiscarded) return Promise.resolve();
    return new Promise((resolve) => this.#whenSettled.push(resolve));
  }

  /** Begins to read; `onEnd` follows the last block of the last stream. */
  readFrom(outputs: readonly ProcessOutput[], onEnd: () => void): void {
    this.#intake.readFrom(outputs, onEnd);
  }

  /**
   * The command has ended. What it left in the pipe is taken in even if it was stalled, so that its exit comes behind it;
   * what its background children write stalls them again.
   */
  commandEnded(): void {
    if (!this.#intake.isStalled) return;
    this.#exemptBytes = LARGEST_PIPES_BYTES;
    this.#review();
  }

  /** A line of the server's own, below what the command has written. Its exit follows. */
  say(text: string, stream: OutputStream): void {
    if (this.#isDiscarded) return;
    const line = this.log.streamBytes(stream) === 0 ? `${text}\n` : `\n${text}\n`;
    this.log.append(stream, Buffer.from(stream === 'pty' ? line.replaceAll('\n', '\r\n') : line));
  }

  exited(exit: CommandExit): void {
    this.#exemptBytes = 0;
    this.log.appendExited(exit);
    this.#options.budget.ended(this);
    this.#ending();
  }

  closed(): void {
    this.log.appendClosed();
    this.#ending();
  }

  /** Pushes to this client from the given event on, or from where the last push ended. */
  goLive(peer: RpcPeer, fromSeq?: number): void {
    const { retainedOutputBytesPerProcess } = this.#options.limits;
    // A log that keeps little is bounded in smaller steps.
    const isWide = peer.sendsBinary && retainedOutputBytesPerProcess >= LEAST_RETAINED_FOR_LARGE_BLOCKS;
    this.log.mostBlockBytes = isWide ? MAX_BINARY_OUTPUT_MESSAGE_BYTES : MAX_OUTPUT_MESSAGE_BYTES;
    this.#push.start(peer, fromSeq);
    this.#mode = 'live';
    this.#review();
    this.#options.budget.moreMayGo();
    this.#push.finishIfRead();
  }

  /** The client that came back has everything before this event, and may go on to read the rest. */
  confirm(seq: number): void {
    this.#push.confirm(seq);
    this.#options.budget.moreMayGo();
  }

  /** The client is gone, or has not said yet where it wants to go on. */
  hold(): void {
    this.#push.stop();
    this.#mode = 'held';
    this.#review();
  }

  /** The client did not come back in time. */
  free(): void {
    if (this.#mode !== 'held') return;
    this.#mode = 'free';
    this.#review();
    this.#options.budget.moreMayGo();
  }

  /** The log is no longer wanted: whatever still comes is read and dropped, so that the child is not stalled by it. */
  discard(): void {
    this.#push.stop();
    this.#mode = 'free';
    this.#options.budget.charge(-this.#chargedBytes);
    this.#options.budget.remove(this);
    this.#isDiscarded = true;
    this.#intake.setStalled(false);
    this.#settle();
  }

  /**
   * The tree is gone and its output is not wanted: a process outside that still holds the other end is not waited for.
   */
  stopReading(): void {
    this.#intake.stopReading();
  }

  evict({ evenUnread }: { readonly evenUnread: boolean }): number {
    const freed = this.#isReadFirst() || (evenUnread && this.#mode === 'free') ? this.log.evictOldest() : 0;
    if (freed > 0) this.#charge();
    return freed;
  }

  pressureChanged(): void {
    this.#review();
  }

  #ending(): void {
    this.#review();
    this.#push.wake();
    this.#options.onChange();
  }

  #settle(): void {
    for (const resolve of this.#whenSettled.splice(0)) resolve();
  }

  #review(): void {
    if (this.#isDiscarded) return;
    const { limits, budget } = this.#options;
    const { log } = this;
    while (log.retainedCost > limits.retainedOutputBytesPerProcess && this.#mayDropFirst()) {
      if (log.evictOldest() === 0) break;
    }
    this.#charge();
    const shouldStall = this.#stall.shouldStall({
      mode: this.#mode,
      isStalled: this.#intake.isStalled,
      isServerFull: budget.isExhausted,
      retainedBytes: log.retainedCost,
      unsentBytes: this.#push.unsentBytes,
    });
    this.#intake.setStalled(shouldStall && this.#exemptBytes === 0);
  }

  /** What was read of an ended process is kept for those who look back, but not all of it. */
  #trim(): void {
    const { retainedReadOutputBytesPerEndedProcess: limit } = this.#options.limits;
    if (this.#isDiscarded || !this.log.isClosed) return;
    while (this.log.retainedCost > limit && this.#isReadFirst()) {
      if (this.log.evictOldest() === 0) break;
    }
    this.#charge();
  }

  #mayDropFirst(): boolean {
    return this.#mode === 'free' || this.#isReadFirst();
  }

  #isReadFirst(): boolean {
    return this.log.firstSeq < this.#push.confirmedSeq;
  }

  #charge(): void {
    const cost = this.log.retainedCost;
    const change = cost - this.#chargedBytes;
    if (change === 0) return;
    this.#chargedBytes = cost;
    this.#options.budget.charge(change);
  }
}
