// A fleet's channels. The package that speaks with the broker is an optional peer: who connects to servers only neither
// installs nor loads it.

import { ExecServerError } from '../exec-server-error.js';
import type { ChannelOpener, FleetTarget } from '../platform.js';

export function openFleet(target: FleetTarget): ChannelOpener {
  let inner: ChannelOpener | undefined;
  const load = async (): Promise<ChannelOpener> => {
    const { fleetOpener } = await import('@codex/exec-fleet').catch(missing);
    return fleetOpener(target);
  };
  return {
    label: `${target.broker.replace(/\/\/[^/]*@/, '//')} ${target.environment}`,
    reopenable: true,
    patienceMs: target.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS,
    async open(signal, about) {
      inner ??= await load();
      return inner.open(signal, about);
    },
    lossOf: (error, isUnknownSession) => inner?.lossOf?.(error, isUnknownSession),
    close: () => inner?.close?.(),
  };
}

const ACQUIRE_TIMEOUT_MS = 10_000;

function missing(cause: unknown): never {
  const isMissing = Reflect.get(Object(cause), 'code') === 'ERR_MODULE_NOT_FOUND';
  if (!isMissing) throw cause;
  throw new ExecServerError(
    'unsupported',
    'a fleet needs the package @codex/exec-fleet, which is not installed',
    {
      details: { capability: 'connect.fleet' },
      hint: 'npm i @codex/exec-fleet',
      cause,
    },
  );
}
