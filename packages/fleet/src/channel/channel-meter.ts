// What channels tell about themselves while they work, for a collector that may be attached.

export interface ChannelMeter {
  sent(bytes: number): void;
  received(bytes: number): void;
  /** Something waited for so long because the remote end granted nothing. */
  stalled(seconds: number): void;
  /** From a question to its answer. */
  roundTrip(seconds: number): void;
}

/** The same of all channels of a connection, and how many there are. */
export interface ChannelsMeter extends ChannelMeter {
  channelOpened(): void;
  channelEnded(reason: string): void;
}
