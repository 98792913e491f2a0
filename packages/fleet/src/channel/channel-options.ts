// What a channel over a broker is made of.

import type { Buffer } from 'node:buffer';
import type { ChannelMeter } from './channel-meter.js';
import type { Relay } from './heartbeat/heartbeat.js';
import type { MessageRoom } from './inbound/message-room.js';
import type { WindowBudget } from './window-budget.js';

/** How a channel reaches the remote end. */
export interface ChannelPort {
  publish(frame: Buffer): void;
  /** The connection holds so much that this channel has to wait for its turn; `pump` is called then. */
  mustWait(): boolean;
  /** The largest frame with its header. */
  readonly maxFrameBytes: number;
  /** The channel is over and nothing more is published. */
  ended(): void;
}

export interface NatsChannelOptions {
  readonly label: string;
  readonly port: ChannelPort;
  readonly budget: WindowBudget;
  readonly room: MessageRoom;
  /** Whose long messages are counted together. Default: those of this channel. */
  readonly owner?: string;
  /** What the remote end has granted when the channel was opened. */
  readonly grantedBytes: number;
  /** The messages are passed on: what counts as read, and whether the reader is alive, is known at their destination only. */
  readonly relay?: Relay;
  /** The end of the remote end must be noticed soon although nothing is sent to it. */
  readonly isWatchful?: boolean;
  readonly meter?: ChannelMeter;
  /** Milliseconds that have passed for certain. */
  readonly now?: () => number;
}
