// Iterates the events of a process until its output counts as over.

import { abortedError, invalidArgument } from '../../exec-server-error.js';
import type { ReadOptions } from '../output/output-view.js';
import { type ProcessEvent, seqOfCursor } from './process-event.js';
import type { ProcessFeed } from './process-feed.js';

export async function* readEvents(
  feed: ProcessFeed,
  options: ReadOptions,
): AsyncGenerator<ProcessEvent, void, undefined> {
  const { signal } = options;
  const reader = feed.log.reader(startSeq(options.from, feed));
  for (;;) {
    if (signal?.aborted === true) throw abortedError('reading output', signal.reason);
    const event = reader.next();
    if (event !== undefined) yield event;
    else if (feed.isSettled) return;
    else await nextChange(feed, signal);
  }
}

/** Resolves at the next event, when the feed settles, or when the signal aborts. */
export function nextChange(feed: ProcessFeed, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      stop();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const stop = feed.onChange(finish);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** The seq behind which an iteration starts; undefined is the beginning. */
export function startSeq(from: ReadOptions['from'], feed: ProcessFeed): number | undefined {
  if (from === undefined || from === 'start') return undefined;
  if (from === 'now') return feed.log.lastSeq;
  const seq = seqOfCursor(from);
  if (seq === undefined) throw invalidArgument('from', `not a cursor of this client: ${from}`);
  return seq;
}
