// The flags that put a program into a fleet, and what they must not be without.

import { resolve } from 'node:path';
import { CodedError } from '@codex/exec-protocol';
import type { Setting } from './setting.js';

export class FleetFlagError extends CodedError<'FLEET_FLAGS_INVALID'> {
  constructor(message: string) {
    super('FLEET_FLAGS_INVALID', message);
  }
}

export interface BrokerFlags {
  readonly fleet?: string;
  readonly credentials?: string;
  readonly fleetCa?: string;
  readonly insecurePlaintext?: boolean;
}

export interface FleetFlags extends BrokerFlags {
  readonly environment?: string;
  readonly name?: string;
  readonly exitAfterSession?: boolean;
  readonly drainTimeoutMs?: number;
  readonly statusListen?: string;
}

/** What every program that speaks with a broker is given. */
export interface BrokerPlace {
  readonly broker: string;
  readonly credentials?: string;
  readonly caFile?: string;
  readonly insecurePlaintext?: boolean;
}

const GROUP = 'In a fleet:';
const HOUR_MS = 3_600_000;

export const FLEET_SETTINGS: readonly Setting[] = [
  {
    name: 'fleet',
    kind: 'text',
    placeholder: 'url',
    group: GROUP,
    text: 'be a machine of the fleet at this broker (nats://, tls:// or wss://) instead of listening',
  },
  { name: 'environment', kind: 'text', placeholder: 'name', group: GROUP, text: 'the environment it serves' },
  {
    name: 'name',
    kind: 'text',
    placeholder: 'name',
    group: GROUP,
    text: 'name of this machine (default: the host with something random)',
  },
  {
    name: 'credentials',
    kind: 'path',
    placeholder: 'path',
    group: GROUP,
    text: 'file that proves who this is to the broker',
  },
  {
    name: 'fleetCa',
    kind: 'path',
    placeholder: 'path',
    group: GROUP,
    text: "authority (PEM) of the broker's certificate",
  },
  {
    name: 'exitAfterSession',
    kind: 'switch',
    fallback: false,
    group: GROUP,
    text: 'end when the last session is over: a fresh machine for everyone',
  },
  {
    name: 'drainTimeoutMs',
    kind: 'integer',
    placeholder: 'ms',
    fallback: HOUR_MS,
    group: GROUP,
    text: 'how long SIGTERM waits for sessions to end',
  },
  {
    name: 'statusListen',
    kind: 'text',
    placeholder: 'ip:port',
    group: GROUP,
    text: 'where /readyz and /metrics are served; without it nothing listens',
  },
];

export function brokerPlace(flags: BrokerFlags): BrokerPlace {
  const { fleet, credentials, fleetCa, insecurePlaintext } = flags;
  if (fleet === undefined)
    throw new FleetFlagError('`--fleet` is missing: the address of the broker, nats://HOST:PORT');
  return {
    broker: fleet,
    ...(credentials === undefined ? {} : { credentials: resolve(credentials) }),
    ...(fleetCa === undefined ? {} : { caFile: resolve(fleetCa) }),
    ...(insecurePlaintext === true ? { insecurePlaintext } : {}),
  };
}

/** Undefined when the program is no machine of a fleet. */
export function fleetPlace(flags: FleetFlags): (BrokerPlace & { readonly environment: string }) | undefined {
  if (flags.fleet === undefined) {
    const given = (['credentials', 'environment', 'statusListen'] as const).find(
      (name) => flags[name] !== undefined,
    );
    if (given !== undefined) throw new FleetFlagError(`\`--${dashed(given)}\` needs \`--fleet\``);
    return undefined;
  }
  const { environment } = flags;
  if (environment === undefined)
    throw new FleetFlagError('`--fleet` needs `--environment`: which machines this one is among');
  return { ...brokerPlace(flags), environment };
}

function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
