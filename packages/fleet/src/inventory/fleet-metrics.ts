// The counters of a machine, a gateway or a client in a fleet, for a collector that may be attached.

export interface FleetMetrics {
  channelOpened(): void;
  channelEnded(reason: string): void;
  reconnected(): void;
  opened(result: 'accepted' | 'noCapacity' | 'lost' | 'failed', seconds: number): void;
  resumed(result: 'accepted' | 'lost'): void;
  lost(reason: string): void;
}

export const noMetrics: FleetMetrics = {
  channelOpened: () => undefined,
  channelEnded: () => undefined,
  reconnected: () => undefined,
  opened: () => undefined,
  resumed: () => undefined,
  lost: () => undefined,
};
