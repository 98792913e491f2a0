// Passes a command's output on as it comes. What is lost on the way is told, never skipped in silence.

import type { Gap, ProcessEvent, RemoteProcess } from '@codex/exec-client';
import type { ReceiveGate } from '../connect/receive-gate.js';
import { DescriptorSink, isErrno } from './descriptor-sink.js';

const STUCK_MS = 2_000;

export interface OutputPumpOptions {
  readonly process: RemoteProcess;
  readonly gate: ReceiveGate;
  onGap(gap: Gap): void;
  /** Nobody reads the output any more. */
  onBrokenPipe(): void;
}

export class OutputPump {
  readonly #options: OutputPumpOptions;
  readonly #stdout = new DescriptorSink(1);
  readonly #stderr = new DescriptorSink(2);
  readonly #done: Promise<void>;
  #broken = false;

  constructor(options: OutputPumpOptions) {
    this.#options = options;
    this.#done = this.#run();
    this.#done.catch(() => undefined);
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
      if (next.done === true) return;
      await this.#take(next.value);
    }
  }

  async #take(event: ProcessEvent): Promise<void> {
    if (event.type === 'gap') this.#options.onGap(event.gap);
    if (event.type !== 'output') return;
    if (!this.#broken)
      await this.#write(event.stream === 'stderr' ? this.#stderr : this.#stdout, event.bytes);
    this.#options.gate.taken(event.bytes.length);
  }

  async #write(sink: DescriptorSink, bytes: Uint8Array): Promise<void> {
    try {
      await sink.write(bytes);
    } catch (error) {
      if (!isErrno(error, 'EPIPE')) throw error;
      this.#broken = true;
      this.#options.onBrokenPipe();
    }
  }
}

function afterMs(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref();
  });
}
