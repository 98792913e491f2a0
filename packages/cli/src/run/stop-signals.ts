// Handles Ctrl-C and other signals. The first SIGINT interrupts the command, the second stops it. SIGTERM and SIGHUP
// are passed on, and a command that has not ended a while later is stopped too.

import type { ExecServerClient, RemoteProcess } from '@codex/exec-client';

const GRACE_MS = 5_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof SIGNALS)[number];

export class StopSignals implements Disposable {
  readonly #process: RemoteProcess;
  readonly #canSignal: boolean;
  readonly #handle = (signal: NodeJS.Signals): void => this.#receive(signal as StopSignal);
  #count = 0;
  #hasHungUp = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stoppedBy: NodeJS.Signals | undefined;

  constructor(client: ExecServerClient, remote: RemoteProcess) {
    this.#process = remote;
    this.#canSignal = client.supports('signal.any');
    for (const signal of SIGNALS) process.on(signal, this.#handle);
  }

  /** The signal that made us stop the command, if one did. */
  get stoppedBy(): NodeJS.Signals | undefined {
    return this.#stoppedBy;
  }

  /** The terminal is gone, and Node aborts when it tries to restore a terminal that is. */
  get hungUp(): boolean {
    return this.#hasHungUp;
  }

  /** Kills the command; ends in bounded time even when the server does not answer. */
  stop(because: NodeJS.Signals): void {
    this.#stoppedBy ??= because;
    // A ladder that a timeout has begun would still wait for the command.
    void this.#process.terminate().catch(() => undefined);
    void this.#process.stop({ interruptFirst: false }).catch(() => undefined);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const signal of SIGNALS) process.off(signal, this.#handle);
  }

  #receive(signal: StopSignal): void {
    this.#count++;
    if (signal === 'SIGHUP') this.#hasHungUp = true;
    if (this.#count > 1) {
      this.stop(signal);
      return;
    }
    const passOn = signal === 'SIGINT' || !this.#canSignal ? 'interrupt' : signal;
    void this.#process.signal(passOn).catch(() => undefined);
    if (signal !== 'SIGINT') this.#timer = setTimeout(() => this.stop(signal), GRACE_MS);
  }
}
