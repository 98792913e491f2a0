// Watches of this client by id. A watch belongs to its connection: after a reconnect it is set up again, and its
// reader is told that something may have been missed.

import type { ParamsOf } from '@codex/exec-protocol';
import type { IncomingNotification } from '@codex/exec-rpc';
import type { ExecServerError } from '../exec-server-error.js';

export interface WatchSink {
  changes(notification: ParamsOf<'fs/changed'>): void;
  reconnected(): void;
  ended(error: ExecServerError): void;
}

export class WatchRegistry {
  readonly #sinks = new Map<string, WatchSink>();

  add(watchId: string, sink: WatchSink): void {
    this.#sinks.set(watchId, sink);
  }

  remove(watchId: string): void {
    this.#sinks.delete(watchId);
  }

  take({ method, params }: IncomingNotification): void {
    if (method !== 'fs/changed') return;
    const notification = params as ParamsOf<'fs/changed'>;
    this.#sinks.get(notification.watchId)?.changes(notification);
  }

  reconnected(): void {
    for (const sink of this.#sinks.values()) sink.reconnected();
  }

  ended(error: ExecServerError): void {
    for (const sink of this.#sinks.values()) sink.ended(error);
    this.#sinks.clear();
  }
}
