// Everything that leaves a peer. Replies and other control messages go to the transport at once and so ahead of all
// bulk that is not yet pulled. Back-pressure: while the remote end does not take its replies, its requests are not
// read.

import type { WireMessage } from '@codex/exec-protocol';
import { type BulkHandle, type BulkProgress, BulkScheduler, type BulkSource } from './bulk-scheduler.js';
import { type Channel, CLOSE_NOT_READING } from './channel.js';
import type { PeerStats } from './peer-stats.js';
import type { RpcLimits } from './rpc-limits.js';

export interface OutboundOptions {
  readonly channel: Channel;
  readonly limits: RpcLimits;
  readonly stats: PeerStats;
  sourceFailed(error: unknown): void;
}

export class Outbound {
  readonly #channel: Channel;
  readonly #limits: RpcLimits;
  readonly #stats: PeerStats;
  readonly #bulk: BulkScheduler;
  #isPaused = false;
  #isClosed = false;
  #isBinary = false;

  constructor({ channel, limits, stats, sourceFailed }: OutboundOptions) {
    this.#channel = channel;
    this.#limits = limits;
    this.#stats = stats;
    this.#bulk = new BulkScheduler({
      progress: progressOf(channel),
      // Output that goes nowhere counts as sent, and would be dropped for more of it.
      hasRoom: () => channel.canSend !== false && channel.bufferedBytes < limits.bulkMarkBytes,
      send: (message) => {
        stats.bulkMessages++;
        channel.send(message);
      },
      failed: sourceFailed,
    });
  }

  /** Replies pile up unread, and the channel is paused for that. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isBinary(): boolean {
    return this.#isBinary;
  }

  /** Messages with payloads are sent in binary form from here on. */
  useBinary(): void {
    this.#isBinary = this.#channel.binary !== undefined;
    this.#channel.binary?.send();
  }

  /** At least that many bytes go out for it. */
  leastBytesOf(message: WireMessage): number {
    return minimumWireBytes(message, this.#isBinary);
  }

  send(message: WireMessage, onTaken?: () => void): void {
    if (this.#isClosed) return;
    this.#channel.send(message, onTaken);
    const queued = this.#queuedBytes;
    if (queued > this.#limits.maxQueuedBytes) {
      this.#channel.close(CLOSE_NOT_READING, `${queued} bytes of replies are not being read`);
    } else if (queued > this.#limits.maxQueuedReplyBytes && !this.#isPaused) {
      this.#isPaused = true;
      this.#stats.readPauses++;
      this.#channel.pause();
    }
  }

  addSource(source: BulkSource): BulkHandle {
    return this.#bulk.add(source);
  }

  drained(): void {
    if (this.#isClosed) return;
    if (this.#isPaused && this.#queuedBytes < this.#limits.maxQueuedReplyBytes / 2) {
      this.#isPaused = false;
      this.#channel.resume();
    }
    this.#bulk.pump();
  }

  get #queuedBytes(): number {
    return this.#channel.queuedBytes ?? this.#channel.bufferedBytes;
  }

  close(): void {
    this.#isClosed = true;
    this.#bulk.close();
  }
}

function progressOf(channel: Channel): BulkProgress | undefined {
  if (channel.sentBytes === undefined) return undefined;
  return {
    get sentBytes() {
      return channel.sentBytes ?? 0;
    },
    get readBytes() {
      return channel.readBytes;
    },
  };
}

/** A cheap lower bound of a message's size, to refuse what no remote end accepts before it is copied anywhere. */
function minimumWireBytes(message: WireMessage, isBinary: boolean): number {
  if (typeof message === 'string') return message.length;
  let total = 0;
  for (const segment of message) {
    const isRaw = isBinary || typeof segment === 'string';
    total += isRaw ? segment.length : Math.ceil(segment.length / 3) * 4;
  }
  return total;
}
