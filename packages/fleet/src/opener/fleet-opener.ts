// What the client needs to work on a fleet: something that opens channels to the machine of one session.

import type { Channel } from '@codex/exec-rpc';
import { parseBrokerAddress } from '../broker/broker-address.js';
import { FleetError, type LossDetails } from '../fleet-error.js';
import { checkedName } from '../naming/subjects.js';
import { FleetCaller } from './caller.js';
import { ACQUIRE_TIMEOUT_MS, FleetSession, type FleetSessionOptions } from './fleet-session.js';

export interface FleetTarget
  extends Pick<
    FleetSessionOptions,
    'environment' | 'machine' | 'token' | 'sessionTtlMs' | 'acquireTimeoutMs' | 'lossGraceMs'
  > {
  readonly broker: string;
  readonly credentials?: string;
  readonly caFile?: string;
  readonly insecurePlaintext?: boolean;
  readonly clientName?: string;
}

export interface FleetOpener {
  readonly label: string;
  readonly reopenable: true;
  /** How long the first `open` may look for a machine, besides what a handshake takes. */
  readonly patienceMs: number;
  open(signal: AbortSignal, about: { readonly resumeSessionId: string | null }): Promise<Channel>;
  /** What the failure of a recovery says about the machine; undefined when it says nothing. */
  lossOf(error: unknown, isUnknownSession: boolean): LossDetails | undefined;
  close(): void;
}

const BUDGET_BYTES = 64 * 1024 * 1024;

export function fleetOpener(target: FleetTarget): FleetOpener {
  const { insecurePlaintext = false } = target;
  const address = parseBrokerAddress(target.broker, { insecurePlaintext });
  checkedName('the environment', target.environment);
  let session: Promise<{ caller: FleetCaller; session: FleetSession }> | undefined;
  let current: FleetSession | undefined;
  let isClosed = false;
  const connect = async (): Promise<{ caller: FleetCaller; session: FleetSession }> => {
    const name = target.clientName ?? 'exec-client';
    const caller = await FleetCaller.connect({ ...target, name, role: 'c', budgetBytes: BUDGET_BYTES });
    if (isClosed) void caller.close();
    current = new FleetSession({ ...target, caller });
    return { caller, session: current };
  };
  return {
    label: `${address.label} ${target.environment}`,
    reopenable: true,
    patienceMs: target.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS,
    async open(signal, { resumeSessionId }) {
      session ??= connect();
      try {
        return await (await session).session.open(signal, resumeSessionId);
      } catch (error) {
        if (current === undefined) session = undefined;
        throw error;
      }
    },
    lossOf(error, isUnknownSession) {
      if (isUnknownSession) return current?.lossDetails('sessionGone');
      if (!(error instanceof FleetError) || error.code !== 'FLEET_LOST') return undefined;
      return error.details as unknown as LossDetails;
    },
    close() {
      isClosed = true;
      void session?.then(
        ({ caller }) => caller.close(),
        () => undefined,
      );
    },
  };
}
