// Waits for the end of a process and for text that it prints.

import type { Outcome, StreamName } from '../../result.js';
import { startSeq } from '../events/event-iteration.js';
import type { ProcessFeed } from '../events/process-feed.js';
import type { ReadOptions } from '../output/output-view.js';
import { type TextMatch, TextScanner } from '../output/text-scanner.js';
import { type WaitOptions, waitUntil } from './wait-condition.js';

export interface OutcomeOptions extends WaitOptions {
  /**
   * `exited` does not wait for output, `closed` waits until no process holds it open. Default: the exit and its output.
   */
  readonly until?: 'exited' | 'closed';
}

export interface TextOptions extends WaitOptions {
  readonly stream?: StreamName;
  readonly from?: ReadOptions['from'];
}

export class ProcessWaits {
  readonly #feed: ProcessFeed;
  readonly #scanners = new Map<StreamName | undefined, TextScanner>();

  constructor(feed: ProcessFeed) {
    this.#feed = feed;
  }

  outcome(options: OutcomeOptions): Promise<Outcome> {
    const feed = this.#feed;
    const poll = (): Outcome | undefined => (this.#isReached(options.until) ? feed.outcome : undefined);
    const condition = 'the end of the process';
    return waitUntil({ ...options, feed, condition, poll, endsWithProcess: false });
  }

  text(pattern: string | RegExp, options: TextOptions): Promise<TextMatch> {
    const scanner = this.#scanner(options);
    const condition = `the output ${String(pattern)}`;
    return waitUntil({ ...options, feed: this.#feed, condition, poll: () => scanner.find(pattern) });
  }

  #isReached(until: OutcomeOptions['until']): boolean {
    const feed = this.#feed;
    if (feed.lost !== undefined) return true;
    if (until === 'exited') return !feed.isRunning;
    if (until === 'closed') return feed.closed || (feed.isSettled && feed.exit === undefined);
    return feed.isSettled;
  }

  // Without a place of its own a wait goes on behind the last match in the same stream.
  #scanner({ stream, from }: TextOptions): TextScanner {
    const known = from === undefined ? this.#scanners.get(stream) : undefined;
    const scanner = known ?? new TextScanner(this.#feed.log.reader(startSeq(from, this.#feed)), stream);
    this.#scanners.set(stream, scanner);
    return scanner;
  }
}
