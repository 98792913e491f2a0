// Tells a client that waits for a call what its command printed last, and that it still runs when it prints nothing.

import type { UnifiedExec } from '@codex/unified-exec';
import { LastLine } from '../shell/last-line.js';

/** Clients that count silence as death wait longer than this. */
const QUIET_MS = 5_000;

type Report = (message: string) => void;

interface Watch {
  readonly report: Report;
  readonly line: LastLine;
}

export class CallProgress {
  readonly #watches = new Map<string, Set<Watch>>();

  constructor(exec: UnifiedExec) {
    void this.#follow(exec);
  }

  /** `callId` is that of the call which started the command. */
  async during<T>(callId: string, report: Report, work: () => Promise<T>): Promise<T> {
    const watch: Watch = { report, line: new LastLine() };
    const watches = this.#watches.get(callId) ?? new Set();
    this.#watches.set(callId, watches.add(watch));
    const started = performance.now();
    const quiet = setInterval(() => {
      report(`running for ${Math.round((performance.now() - started) / 1000)} s`);
    }, QUIET_MS);
    try {
      return await work();
    } finally {
      clearInterval(quiet);
      watches.delete(watch);
      if (watches.size === 0) this.#watches.delete(callId);
    }
  }

  async #follow(exec: UnifiedExec): Promise<void> {
    for await (const event of exec.events()) {
      if (event.type !== 'delta') continue;
      for (const { report, line } of this.#watches.get(event.callId) ?? []) {
        const last = line.after(event.bytes);
        if (last !== undefined) report(last);
      }
    }
  }
}
