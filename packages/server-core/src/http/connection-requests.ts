// The HTTP requests of one connection: bounds their number, holds the ids of its streams, and aborts them when it
// ends.
import { type Clock, invalidRequest } from '@codex/exec-protocol';
import { BufferRoom } from './buffered-body.js';
import { disconnected, streamIdActive, timedOut } from './http-error.js';
import type { HttpLimits } from './http-limits.js';

export interface ActiveRequest {
  readonly signal: AbortSignal;
  finish(): void;
}

export interface ActiveRequestOptions {
  /** Undefined for a response in one piece: only streams need ids of their own. */
  readonly streamId: string | undefined;
  readonly timeoutMs: number | undefined;
}

export class ConnectionRequests {
  readonly room: BufferRoom;
  readonly #limits: HttpLimits;
  readonly #clock: Clock;
  readonly #active = new Set<AbortController>();
  readonly #streamIds = new Set<string>();
  #isEnded = false;

  constructor(limits: HttpLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.room = new BufferRoom(limits.maxHttpBufferedBytesPerConnection);
  }

  begin({ streamId, timeoutMs }: ActiveRequestOptions): ActiveRequest {
    const { maxHttpRequestsPerConnection } = this.#limits;
    if (streamId !== undefined && this.#streamIds.has(streamId)) throw streamIdActive(streamId);
    if (this.#active.size >= maxHttpRequestsPerConnection) {
      throw invalidRequest(
        `at most ${maxHttpRequestsPerConnection} http requests may be active per connection`,
      );
    }
    const controller = new AbortController();
    if (this.#isEnded) controller.abort(disconnected());
    this.#active.add(controller);
    if (streamId !== undefined) this.#streamIds.add(streamId);
    const timer =
      timeoutMs === undefined
        ? undefined
        : this.#clock.schedule(timeoutMs, () => controller.abort(timedOut(timeoutMs)));
    const finish = (): void => {
      timer?.cancel();
      if (this.#active.delete(controller) && streamId !== undefined) this.#streamIds.delete(streamId);
    };
    return { signal: controller.signal, finish };
  }

  end(): void {
    this.#isEnded = true;
    for (const controller of this.#active) controller.abort(disconnected());
  }
}
