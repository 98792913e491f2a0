// A running supervisor, from the nursery or spawned by Node: takes launch records and orders, and tells what happens.
import type { Order } from '../codec/order-codec.js';
import type { Status } from '../codec/status-codec.js';

export interface SupervisorEvents {
  status(status: Status): void;
  /** It is gone; nothing comes after. `error` when the program could not be started at all. */
  closed(error: Error | undefined): void;
}

/** Descriptors that belong to who has taken them. */
export type OutputEnds = readonly [stdout: number, stderr: number];

export interface Supervisor {
  /** How many descriptors from 3 upwards are between it and this process. */
  readonly serverFds: number;
  readonly isOpen: boolean;
  /**
   * Our ends of the pipes that were made before there was a command, once. They are for one that only prints; of others, who
   * takes them closes them.
   */
  takeOutputs?(): OutputEnds | undefined;
  /** Until the next launch: its statuses are not read, and it does not keep the event loop alive. */
  rest(): void;
  /** Hands over the launch record; from here on `events` gets the statuses. */
  launch(record: Buffer, events: SupervisorEvents): void;
  send(order: Order): void;
  /** Continues it, if a SIGSTOP has stopped it. */
  wake(): void;
  /** Its last status has been read, or it is not needed: its links are closed, which ends it. */
  end(): void;
}
