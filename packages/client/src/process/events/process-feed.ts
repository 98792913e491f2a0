// Everything the client knows of one process: its events in order, captures, and its state. It hears pushed
// notifications, reads what was missed, and decides when the output counts as over.

import type { Clock, ParamsOf, ParamsWithPayload, ResultWithPayload } from '@codex/exec-protocol';
import { OutputCapture } from '../../captured.js';
import type { ExecServerError } from '../../exec-server-error.js';
import type { Outcome, SandboxDenial, StreamName } from '../../result.js';
import type { DrainPolicy } from '../../spawn-options.js';
import { type ObservedExit, outcomeOf, type StopCause } from '../end/process-outcome.js';
import { OutputDrain } from '../output/output-drain.js';
import { EventLog } from './event-log.js';
import { checkedExitCode, decodeChunk, denialOf, EventOrder, type SequencedEvent } from './event-order.js';
import { EventRepair } from './event-repair.js';
import { asFailure, processFailure } from './feed-failure.js';
import { cursorAt, type ProcessEvent } from './process-event.js';
import { TextEvents } from './text-events.js';

export interface FeedOptions {
  readonly processId: string;
  readonly clock: Clock;
  readonly bufferBytes: number;
  readonly captureBytes: number;
  readonly drain: DrainPolicy;
  /** Everything up to this seq was seen by an earlier holder. */
  readonly afterSeq?: number;
  /** One `process/read` that does not wait. */
  read(afterSeq: number): Promise<ResultWithPayload<'process/read'>>;
}

/** What is pushed about one process. */
export type ProcessNotification = 'process/output' | 'process/exited' | 'process/closed' | 'process/failed';

export class ProcessFeed {
  readonly processId: string;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly stdout: OutputCapture;
  readonly stderr: OutputCapture;
  readonly output: OutputCapture;
  /** Resolves when nothing more is waited for: output closed, drained after the exit, or lost. Never rejects. */
  readonly settled: Promise<void>;
  sandboxType: SandboxDenial['sandboxType'] = 'unknown';

  readonly #order: EventOrder;
  readonly #repair: EventRepair;
  readonly #texts = new TextEvents();
  readonly #drain: OutputDrain;
  readonly #listeners = new Set<() => void>();
  #exit: (ObservedExit & { readonly at: number }) | undefined;
  #isClosed = false;
  #lost: ExecServerError | undefined;
  #cause: StopCause | undefined;
  #isSettled = false;
  #isHeldOpen = false;
  #isLaunched = false;

  constructor(options: FeedOptions) {
    const { processId, clock, bufferBytes, captureBytes, afterSeq = 0 } = options;
    this.processId = processId;
    this.clock = clock;
    this.log = new EventLog(bufferBytes, afterSeq);
    this.stdout = new OutputCapture(captureBytes);
    this.stderr = new OutputCapture(captureBytes);
    this.output = new OutputCapture(captureBytes);
    this.#order = new EventOrder(afterSeq, (event) => this.#publish(event));
    this.#repair = new EventRepair({
      processId,
      order: this.#order,
      read: (after) => options.read(after),
      isOver: () => this.#lost !== undefined || this.#isClosed,
      failed: (error) => this.fail(error),
    });
    let settle = (): void => {};
    this.settled = new Promise((resolve) => {
      settle = resolve;
    });
    this.#drain = new OutputDrain({
      clock,
      policy: options.drain,
      askForMore: () => this.repair(),
      done: (heldOpen) => {
        this.#isHeldOpen = heldOpen;
        this.#isSettled = true;
        settle();
        this.#changed();
      },
    });
  }

  get exit(): { readonly exitCode: number; readonly at: number } | undefined {
    return this.#exit;
  }

  get closed(): boolean {
    return this.#isClosed;
  }

  get lost(): ExecServerError | undefined {
    return this.#lost;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  get isRunning(): boolean {
    return this.#exit === undefined && this.#lost === undefined && !this.#isSettled;
  }

  get pipesHeldOpen(): boolean {
    return this.#isHeldOpen && !this.#isClosed;
  }

  /** Undefined while the process runs and was not stopped. */
  get outcome(): Outcome | undefined {
    if (this.isRunning) return undefined;
    return outcomeOf({
      exit: this.#exit,
      cause: this.#cause,
      lost: this.#lost,
      sandboxType: this.sandboxType,
    });
  }

  /** The beginning of a character that never came, at the end of a stream. */
  unfinishedText(stream: StreamName): string {
    return this.#texts.unfinished(stream);
  }

  /** Called after every event and when the feed settles; returns how to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The server knows the process: from here on missed events can be read. */
  launched(): void {
    this.#isLaunched = true;
  }

  notification(method: ProcessNotification, params: unknown): void {
    try {
      this.#take(method, params);
    } catch (error) {
      this.fail(asFailure(error));
    }
    if (this.#order.overflowing) void this.repair();
  }

  reconnecting(): void {
    this.log.append({ type: 'reconnecting' });
    this.#changed();
  }

  reconnected(): void {
    if (!this.#isLaunched) return;
    void this.repair().then(() => {
      this.log.append({ type: 'reconnected' });
      this.#changed();
    });
  }

  /** Reads until everything the server had when asked is published. Never rejects: a failure is the feed's end. */
  repair(): Promise<void> {
    return this.#repair.run();
  }

  /** The first cause counts, and only while the process runs. */
  stopping(cause: StopCause): void {
    if (this.isRunning) this.#cause ??= cause;
  }

  /** A stop was asked for and never confirmed. */
  abandon(): void {
    this.#drain.abandon();
  }

  fail(error: ExecServerError): void {
    if (this.#lost !== undefined || this.#isClosed) return;
    this.#lost = error;
    this.log.append({ type: 'lost', error });
    this.#drain.abandon();
    this.#changed();
  }

  /** Makes every waiter of this feed look again. */
  poke(): void {
    this.#changed();
  }

  #take(method: ProcessNotification, params: unknown): void {
    switch (method) {
      case 'process/output': {
        const { seq, stream, chunk } = params as ParamsWithPayload<'process/output'>;
        // Most of what is pushed twice is output that a recovery read has delivered: do not decode it.
        if (seq > this.#order.lastSeq)
          this.#order.push({ type: 'output', seq, stream, bytes: decodeChunk(chunk) });
        break;
      }
      case 'process/exited': {
        const exited = params as ParamsOf<'process/exited'>;
        const { seq } = exited;
        const exitCode = checkedExitCode(exited.exitCode);
        this.#order.push({ type: 'exited', seq, exitCode, ...denialOf(exited) });
        break;
      }
      case 'process/closed':
        this.#order.push({ type: 'closed', seq: (params as ParamsOf<'process/closed'>).seq });
        break;
      case 'process/failed':
        throw processFailure(this.processId, (params as ParamsOf<'process/failed'>).message);
    }
  }

  #publish(event: SequencedEvent): void {
    switch (event.type) {
      case 'output':
        (event.stream === 'stderr' ? this.stderr : this.stdout).push(event.bytes);
        this.output.push(event.bytes);
        this.log.append(this.#texts.output(event), event.seq);
        this.#drain.output();
        break;
      case 'gap':
        for (const capture of [this.stdout, this.stderr, this.output]) capture.gap(event.gap);
        this.#texts.reset();
        this.log.append({ ...event, cursor: cursorAt(event.gap.toSeq) }, event.gap.toSeq);
        break;
      case 'exited':
        this.#exit = { ...event, at: this.clock.now() };
        this.log.append(exitEvent(event), event.seq);
        this.#drain.exited();
        break;
      case 'closed':
        this.#isClosed = true;
        this.log.append({ ...event, cursor: cursorAt(event.seq) }, event.seq);
        this.#drain.closed();
        break;
    }
    this.#changed();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function exitEvent({ seq, exitCode, denied }: Extract<SequencedEvent, { type: 'exited' }>): ProcessEvent {
  return { type: 'exited', seq, exitCode, denied, cursor: cursorAt(seq) };
}
