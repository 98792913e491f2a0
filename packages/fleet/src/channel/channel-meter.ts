// What a channel tells about itself while it works, for whoever counts.

export interface ChannelMeter {
  sent(bytes: number): void;
  received(bytes: number): void;
  /** Something waited for so long because the remote end granted nothing. */
  stalled(seconds: number): void;
  /** From a question to its answer. */
  roundTrip(seconds: number): void;
}
