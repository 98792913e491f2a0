// What a machine, a gateway or a client counts about its part in the fleet, for whoever wants to be told.

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
