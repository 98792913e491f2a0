/** A running supervisor, whoever has forked it: takes launch records and orders, and reports. */
import type { Order } from './control-codec.js';
import type { Status } from './status-codec.js';

export interface SupervisorEvents {
  status(status: Status): void;
  /** It is gone; nothing comes after. `error` when the program could not be started at all. */
  closed(error: Error | undefined): void;
}

export interface Supervisor {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  /** The process whose child it is, as its launch records say; 0 when that is not this one. */
  readonly parentPid: number;
  /** How many descriptors from 3 upwards are between it and this process. */
  readonly controlFds: number;
  readonly isOpen: boolean;
  /** Until the next launch: nobody listens, and it does not keep the event loop alive. */
  rest(): void;
  /** Hands over the launch record and says who listens from here on. */
  launch(record: Buffer, events: SupervisorEvents): void;
  send(order: Order): void;
  /** Lets it go on, if somebody has stopped it. */
  wake(): void;
  /** Its last report has been read, or it is not needed: lets it go. */
  release(): void;
}
