// Passes a command's output on as it comes. Lost output is reported, never skipped in silence.

import type { Gap, ProcessEvent, RemoteProcess } from '@codex/exec-client';
import { CodedError } from '@codex/exec-protocol';
import type { ReceiveGate } from '../connect/receive-gate.js';
import { DescriptorSink, isErrno } from './descriptor-sink.js';

const STUCK_MS = 2_000;

export class OutputError extends CodedError<'OUTPUT_UNWRITABLE'> {
  constructor(cause: unknown) {
    super(
      'OUTPUT_UNWRITABLE',
      `cannot write the output: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/** Where a stream of output goes. */
export interface OutputSink {
  readonly bytesWritten: number;
  write(bytes: Uint8Array): Promise<void>;
}

export interface OutputPumpOptions {
  readonly process: RemoteProcess;
  readonly gate: ReceiveGate;
  /** This program's own stdout and stderr by default. */
  readonly sinks?: { readonly stdout: OutputSink; readonly stderr: OutputSink };
  onGap(gap: Gap): void;
  /** The output cannot be passed on any more: the reader is gone, or writing fails. The rest is dropped. */
  onBroken(): void;
}

export class OutputPump {
  readonly #options: OutputPumpOptions;
  readonly #stdout: OutputSink;
  readonly #stderr: OutputSink;
  readonly #done: Promise<void>;
  #isBroken = false;
  #failure: unknown;

  constructor(options: OutputPumpOptions) {
    this.#options = options;
    this.#stdout = options.sinks?.stdout ?? new DescriptorSink(1);
    this.#stderr = options.sinks?.stderr ?? new DescriptorSink(2);
    this.#done = this.#run();
    this.#done.catch(() => undefined);
  }

  /** Why writing failed, if it did. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Resolves when everything is written. */
  finish(): Promise<void> {
    return this.#done;
  }

  /** As `finish`, but gives up on a reader that has stopped reading; says whether everything was written. */
  async finishUnlessStuck(): Promise<boolean> {
    const written = this.#done.then(() => true);
    for (;;) {
      const before = this.#bytesWritten;
      const finished = await Promise.race([written, afterMs(STUCK_MS)]);
      if (finished) return true;
      if (this.#bytesWritten === before) return false;
    }
  }

  get #bytesWritten(): number {
    return this.#stdout.bytesWritten + this.#stderr.bytesWritten;
  }

  async #run(): Promise<void> {
    const { process, gate } = this.#options;
    const events = process.events();
    for (;;) {
      // What has arrived is given out before the next turn of the event loop.
      const waiting = setImmediate(() => gate.caughtUp());
      const next: IteratorResult<ProcessEvent, undefined> = await events.next();
      clearImmediate(waiting);
      gate.busy();
      if (next.done === true) return;
      await this.#take(next.value);
    }
  }

  async #take(event: ProcessEvent): Promise<void> {
    if (event.type === 'gap') this.#options.onGap(event.gap);
    if (event.type !== 'output') return;
    if (!this.#isBroken)
      await this.#write(event.stream === 'stderr' ? this.#stderr : this.#stdout, event.bytes);
    this.#options.gate.taken(event.bytes.length);
  }

  async #write(sink: OutputSink, bytes: Uint8Array): Promise<void> {
    try {
      await sink.write(bytes);
    } catch (error) {
      this.#isBroken = true;
      // A reader that has seen enough is no failure.
      if (!isErrno(error, 'EPIPE')) this.#failure = error;
      this.#options.onBroken();
    }
  }
}

function afterMs(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref();
  });
}
