// The yield windows of one process: each goes on where the last one ended, and dialogues take turns.

import { ExecServerError } from '../../exec-server-error.js';
import { startSeq } from '../events/event-iteration.js';
import type { LogReader } from '../events/event-log.js';
import { cursorAt } from '../events/process-event.js';
import type { ProcessFeed } from '../events/process-feed.js';
import { checkCallOptions } from '../process-option-rules.js';
import type { WaitOptions } from '../wait/wait-condition.js';
import { collectWindow, type YieldResult, type YieldWindow } from './yield-window.js';

export class ProcessWindows {
  readonly #feed: ProcessFeed;
  #place: LogReader;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(feed: ProcessFeed) {
    this.#feed = feed;
    this.#place = feed.log.reader();
  }

  async collect(window: YieldWindow): Promise<YieldResult> {
    checkCallOptions('yieldWindow', window);
    const { from } = window;
    // Windows that overlap each get everything: a place moves only when its window has ended.
    const reader =
      from === undefined ? this.#place.clone() : this.#feed.log.reader(startSeq(from, this.#feed));
    const result = await collectWindow(this.#feed, reader, window);
    if (from === undefined && reader.seq >= this.#place.seq) this.#place = reader;
    return result;
  }

  /** Runs `write` and collects, behind all earlier turns. */
  takeTurn(write: () => Promise<void>, window: YieldWindow): Promise<YieldResult> {
    const turn = this.#lastTurn.then(async () => {
      await write();
      return this.collect(window);
    });
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async waitForQuiet(ms: number, { timeoutMs, signal }: WaitOptions): Promise<void> {
    const { processId, log } = this.#feed;
    const result = await this.collect({
      ms: timeoutMs ?? Number.POSITIVE_INFINITY,
      idleMs: ms,
      from: cursorAt(log.lastSeq),
      ...(signal === undefined ? {} : { signal }),
    });
    if (result.endedBy !== 'deadline') return;
    const condition = `${ms} ms without output`;
    throw new ExecServerError('process.waitTimeout', `${condition} were not reached in time`, {
      details: { processId, condition, tail: result.output.text },
    });
  }
}
