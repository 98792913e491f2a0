// What a channel reports about itself while it works, for metrics.

export interface ChannelMeter {
  sent(bytes: number): void;
  received(bytes: number): void;
  /** Something waited for so long because the remote end granted nothing. */
  stalled(seconds: number): void;
  /** From a question to its answer. */
  roundTrip(seconds: number): void;
}

/** The channels of a program, as they come and go. */
export interface HubMeter extends ChannelMeter {
  channelOpened(): void;
  channelEnded(reason: string): void;
}
