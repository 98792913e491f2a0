// Every process that was started: what dispose must not leave behind, whether it is a session or not, has ended or not.

import type { ExecServerClient, RemoteProcess } from '@codex/exec-client';
import { within } from './within.js';

/** How long a killed process may take until its end is known. */
const CONFIRM_MS = 5_000;
/** How long what it had started may take after it: until then its output is held open. Some servers do not end those. */
const CHILDREN_MS = 1_000;
/** Ids of ended commands that may have left something in the background. */
const MAX_REMEMBERED = 50_000;

export class LiveProcesses {
  readonly #client: ExecServerClient;
  readonly #live = new Set<RemoteProcess>();
  readonly #ended = new Set<string>();
  #isClosing = false;

  constructor(client: ExecServerClient) {
    this.#client = client;
  }

  add(process: RemoteProcess): void {
    this.#live.add(process);
    void process.result().then(() => {
      this.#live.delete(process);
      this.#remember(process.id);
      // The client need not listen for it any more; what it said stays readable.
      return process[Symbol.asyncDispose]();
    });
    // It was on its way when the tool was disposed of.
    if (this.#isClosing) void end(process);
  }

  async endAll(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#live].map(end));
    await this.#endBackground();
  }

  /** What ended commands have left. A server that cannot end it keeps it until its session ends. */
  async #endBackground(): Promise<void> {
    if (!this.#client.supports('terminate.tree')) return;
    const ids = [...this.#ended];
    this.#ended.clear();
    const mode = { type: 'tree' } as const;
    const requests = ids.map((processId) => this.#client.call('process/terminate', { processId, mode }));
    // A connection that is gone, or away for long, is no failure of this: its session ends by itself.
    await within(Promise.allSettled(requests), CONFIRM_MS);
  }

  #remember(id: string): void {
    if (!this.#client.supports('terminate.tree')) return;
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > MAX_REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
  }
}

/** Kills it and everything it started; resolves when that is confirmed, or has not been for some seconds. */
export async function end(process: RemoteProcess): Promise<boolean> {
  const confirmed = process
    .wait({ until: 'exited', timeoutMs: CONFIRM_MS })
    .then(() => process.wait({ until: 'closed', timeoutMs: CHILDREN_MS }))
    .catch(() => undefined);
  const terminated = process.terminate().catch(() => undefined);
  const answer = await within(terminated, CONFIRM_MS);
  await confirmed;
  return answer?.wasRunning ?? false;
}
