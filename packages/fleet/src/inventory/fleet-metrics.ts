// The counters of a machine, a gateway or a client in a fleet, for a collector that may be attached.

import type { HubMeter } from '../channel/channel-meter.js';

/** How asking for a session, or being asked for one, ended. */
export type OpenResult = 'accepted' | 'noCapacity' | 'draining' | 'refused' | 'failed';

export interface FleetMetrics extends HubMeter {
  reconnected(): void;
  /** `seconds` is what the opening took; only the side that opens knows it. */
  opened(result: OpenResult, seconds?: number): void;
  resumed(result: 'accepted' | 'refused' | 'lost'): void;
  lost(reason: string): void;
}

const nothing = (): void => undefined;

export const noMetrics: FleetMetrics = {
  channelOpened: nothing,
  channelEnded: nothing,
  reconnected: nothing,
  opened: nothing,
  resumed: nothing,
  lost: nothing,
  sent: nothing,
  received: nothing,
  stalled: nothing,
  roundTrip: nothing,
};
