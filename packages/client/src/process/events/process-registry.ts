// The processes this client listens to: notifications find their feed by process id, and a feed is registered before
// its process is launched, so that nothing it prints can come too early.

import type { IncomingNotification } from '@codex/exec-rpc';
import type { ExecServerError } from '../../exec-server-error.js';
import type { ProcessFeed, ProcessNotification } from './process-feed.js';

const NOTIFICATIONS: ReadonlySet<string> = new Set<ProcessNotification>([
  'process/output',
  'process/exited',
  'process/closed',
  'process/failed',
]);

export class ProcessRegistry {
  readonly #feeds = new Map<string, ProcessFeed>();

  add(feed: ProcessFeed): void {
    this.#feeds.set(feed.processId, feed);
  }

  has(processId: string): boolean {
    return this.#feeds.has(processId);
  }

  remove(feed: ProcessFeed): void {
    if (this.#feeds.get(feed.processId) === feed) this.#feeds.delete(feed.processId);
  }

  /** Returns whether the notification is about a process, known here or not. */
  take({ method, params }: IncomingNotification): boolean {
    if (!isProcessNotification(method)) return false;
    const id: unknown =
      typeof params === 'object' && params !== null ? Reflect.get(params, 'processId') : undefined;
    const feed = typeof id === 'string' ? this.#feeds.get(id) : undefined;
    if (feed === undefined) return true;
    feed.notification(method, params);
    // Close is the last event of a process; its handle keeps the feed for as long as the caller holds the handle.
    if (feed.closed) this.remove(feed);
    return true;
  }

  /** Processes that run and were not detached. */
  running(): ProcessFeed[] {
    return [...this.#feeds.values()].filter((feed) => feed.isRunning);
  }

  reconnecting(): void {
    for (const feed of this.#feeds.values()) feed.reconnecting();
  }

  reconnected(): void {
    for (const feed of this.#feeds.values()) feed.reconnected();
  }

  ended(error: ExecServerError): void {
    for (const feed of this.#feeds.values()) feed.fail(error);
    this.#feeds.clear();
  }
}

function isProcessNotification(method: string): method is ProcessNotification {
  return NOTIFICATIONS.has(method);
}
