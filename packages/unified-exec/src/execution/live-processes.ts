// Every process that was started and has not ended, whether it is a session or not: what dispose must not leave behind.

import type { RemoteProcess } from '@codex/exec-client';

/** How long a killed process may take until its end is known. */
const CONFIRM_MS = 5_000;

export class LiveProcesses {
  readonly #live = new Set<RemoteProcess>();
  #isClosing = false;

  add(process: RemoteProcess): void {
    this.#live.add(process);
    void process.result().then(() => {
      this.#live.delete(process);
      // The client need not listen for it any more; what it said stays readable.
      return process[Symbol.asyncDispose]();
    });
    // It was on its way when the tool was disposed of.
    if (this.#isClosing) void end(process);
  }

  async endAll(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#live].map(end));
  }
}

/** Kills it and everything it started; resolves when that is confirmed, or cannot be any more. */
export async function end(process: RemoteProcess): Promise<boolean> {
  const confirmed = process.wait({ until: 'exited', timeoutMs: CONFIRM_MS }).catch(() => undefined);
  const { wasRunning } = await process.terminate().catch(() => ({ wasRunning: false }));
  await confirmed;
  return wasRunning;
}
