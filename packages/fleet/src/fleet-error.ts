// What goes wrong between a client, the broker and the machines. `details` of a loss say what a caller may rely on.

import { CodedError } from '@codex/exec-protocol';

export type FleetErrorCode =
  | 'FLEET_ADDRESS'
  | 'FLEET_CREDENTIALS'
  | 'FLEET_NAME'
  | 'FLEET_BROKER'
  | 'FLEET_NO_CAPACITY'
  | 'FLEET_LOST'
  | 'FLEET_DUPLICATE';

export class FleetError extends CodedError<FleetErrorCode> {}

/** Why a session cannot be taken up again. */
export type LossReason = 'sessionGone' | 'drained' | 'machineGone' | 'machineSilent' | 'brokerUnreachable';

export interface LossDetails {
  readonly reason: LossReason;
  readonly executor: string;
  /** When the machine was last heard, as epoch milliseconds. */
  readonly lastSeenAt: number;
  /** From this moment on the session's processes are dead, on whatever side of a partition. */
  readonly fencedBy: number;
}

const SENTENCES: Readonly<Record<LossReason, string>> = {
  sessionGone: 'was started anew, or the session was left for too long',
  drained: 'said goodbye: it was drained or shut down',
  machineGone: 'is not connected to the broker any more',
  machineSilent: 'is connected and does not answer',
  brokerUnreachable: 'cannot be asked: the broker is not reached',
};

export function lossError(details: LossDetails): FleetError {
  return new FleetError('FLEET_LOST', `machine ${details.executor} ${SENTENCES[details.reason]}`, {
    details: { ...details },
  });
}
