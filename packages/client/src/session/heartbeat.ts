// Notices that a server is gone where the transport cannot tell: a browser's websocket sends no pings, and a connection
// that vanished stays open until something is sent and not acknowledged, which may take many minutes.
// After a silence it asks the cheapest question that every server answers. Any message counts as a sign of life.
// It cannot tell a stopped server from a dead one.

import type { Clock, Timer } from '@codex/exec-protocol';
import { type RpcPeer, RpcTransportError } from '@codex/exec-rpc';
import type { HeartbeatTimes } from '../platform.js';
import type { HeartbeatPolicy } from './connect-options.js';

const TIMEOUT_MS = 15_000;
/** A server that does one request after the other answers only behind a long one. */
const BUSY_FACTOR = 4;

/** Undefined switches it off. Death is noticed within the timeout although it is looked for at intervals. */
export function heartbeatTimes(policy: false | HeartbeatPolicy | undefined): HeartbeatTimes | undefined {
  const timeoutMs = policy === false ? 0 : (policy?.timeoutMs ?? TIMEOUT_MS);
  if (timeoutMs === 0 || timeoutMs === Number.POSITIVE_INFINITY) return undefined;
  return { askAfterMs: timeoutMs / 3, deadAfterMs: (timeoutMs * 2) / 3 };
}

export class Heartbeat {
  readonly #peer: RpcPeer;
  readonly #clock: Clock;
  readonly #times: HeartbeatTimes;
  #timer: Timer;
  #received: number;
  #lastLifeAt: number;
  #isAsking = false;

  constructor(peer: RpcPeer, clock: Clock, times: HeartbeatTimes) {
    this.#peer = peer;
    this.#clock = clock;
    this.#times = times;
    this.#received = peer.stats.receivedMessages;
    this.#lastLifeAt = clock.now();
    this.#timer = this.#next();
    void peer.closed.then(() => this.#timer.cancel());
  }

  #next(): Timer {
    return this.#clock.schedule(this.#times.askAfterMs, () => this.#look());
  }

  #look(): void {
    const { receivedMessages, pendingCalls } = this.#peer.stats;
    const now = this.#clock.now();
    if (receivedMessages !== this.#received) this.#lastLifeAt = now;
    this.#received = receivedMessages;
    const isBusy = pendingCalls > (this.#isAsking ? 1 : 0);
    const patience = this.#times.deadAfterMs * (isBusy ? BUSY_FACTOR : 1);
    if (this.#isAsking && now - this.#lastLifeAt >= patience) {
      this.#peer.close(undefined, `no sign of life for ${Math.round(now - this.#lastLifeAt)} ms`);
      return;
    }
    if (now - this.#lastLifeAt >= this.#times.askAfterMs) void this.#ask();
    this.#timer = this.#next();
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      await this.#peer.call('environment/status', null);
    } catch (error) {
      // An error of the server is an answer; one of the connection is told by its end.
      if (error instanceof RpcTransportError) return;
    } finally {
      this.#isAsking = false;
    }
  }
}
