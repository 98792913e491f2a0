// A process feed whose server is the test: events are pushed by hand, reads are answered from a script.

import { encodeBase64, type ProcessReadResult } from '@codex/exec-protocol';
import { ProcessFeed } from '../src/process/events/process-feed.js';
import type { StreamName } from '../src/result.js';
import type { DrainPolicy } from '../src/spawn-options.js';
import { ManualClock } from './manual-clock.js';

export interface ScriptedFeedOptions {
  readonly bufferBytes?: number;
  readonly captureBytes?: number;
  readonly drain?: DrainPolicy;
  read?(afterSeq: number): Promise<ProcessReadResult> | ProcessReadResult;
}

export const NOTHING_NEW: Omit<ProcessReadResult, 'nextSeq'> = {
  chunks: [],
  exited: false,
  exitCode: null,
  closed: false,
  failure: null,
  sandboxDenied: false,
};

export class ScriptedFeed {
  readonly clock = new ManualClock();
  readonly feed: ProcessFeed;
  readonly reads: number[] = [];
  #seq = 0;

  constructor(options: ScriptedFeedOptions = {}) {
    this.feed = new ProcessFeed({
      processId: 'p',
      clock: this.clock,
      bufferBytes: options.bufferBytes ?? 1024 * 1024,
      captureBytes: options.captureBytes ?? 1024 * 1024,
      drain: options.drain ?? {},
      read: async (afterSeq) => {
        this.reads.push(afterSeq);
        return (await options.read?.(afterSeq)) ?? { ...NOTHING_NEW, nextSeq: afterSeq + 1 };
      },
    });
    this.feed.launched();
  }

  output(text: string | Uint8Array, stream: StreamName = 'stdout', seq = ++this.#seq): void {
    this.#seq = Math.max(this.#seq, seq);
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    this.feed.notification('process/output', { processId: 'p', seq, stream, chunk: encodeBase64(bytes) });
  }

  exit(exitCode = 0, sandboxDenied?: boolean, seq = ++this.#seq): void {
    const denied = sandboxDenied === undefined ? {} : { sandboxDenied };
    this.feed.notification('process/exited', { processId: 'p', seq, exitCode, ...denied });
  }

  close(seq = ++this.#seq): void {
    this.feed.notification('process/closed', { processId: 'p', seq });
  }
}
