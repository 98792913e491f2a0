// What a machine of the fleet is made of.

import type { Channel } from '@codex/exec-rpc';
import type { BrokerOptions } from '../broker/broker-link.js';
import type { FleetMetrics } from '../inventory/fleet-metrics.js';
import type { Admitted, VerifyToken } from './admission.js';

/** What an executor needs of the server that it puts into the fleet. */
export interface FleetServer {
  accept(
    channel: Channel,
    options: Admitted & { readonly mustResume: boolean; readonly onInitialized: () => void },
  ): { readonly closed: Promise<unknown> };
}

export interface ExecutorOptions extends Omit<BrokerOptions, 'name'> {
  readonly environment: string;
  /** The machine's name. Default: the one that the credentials are for, or the host's with something random. */
  readonly name?: string;
  readonly maxSessions: number;
  readonly sessionTtlMs: number;
  readonly maxSessionTtlMs: number;
  readonly version: string;
  /** Checks the token of a client; undefined when none is asked for. */
  readonly verifyToken?: VerifyToken;
  readonly metrics?: FleetMetrics;
  /** The last session here has ended. */
  onIdle?(): void;
  /** An operator asks this machine to drain. */
  onDrain?(): void;
  /** This machine cannot stay in the fleet. */
  onFailure(error: Error): void;
}
