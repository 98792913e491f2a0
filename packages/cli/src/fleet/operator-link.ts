// The connection of an operator's command to the broker, for as long as the command runs.

import type { BrokerLink } from '@codex/exec-fleet';
import { type BrokerFlags, brokerPlace, FleetFlagError } from '../settings/fleet-flags.js';
import { endsWhenItFails } from './ends-when-it-fails.js';

export interface LinkUse {
  /** What the broker refuses is the work's to tell. Default: it ends the command. */
  readonly handlesRefusals?: boolean;
}

export function withLink<T>(
  flags: BrokerFlags,
  work: (link: BrokerLink) => Promise<T>,
  use: LinkUse = {},
): Promise<T> {
  return endsWhenItFails(() => connected(flags, work, use));
}

async function connected<T>(
  flags: BrokerFlags,
  work: (link: BrokerLink) => Promise<T>,
  { handlesRefusals = false }: LinkUse,
): Promise<T> {
  const { BrokerLink: Link } = await import('@codex/exec-fleet');
  const link = await Link.connect({ ...brokerPlace(flags), name: 'exec-server fleet' });
  let refused: (error: Error) => void = () => undefined;
  const refusal = new Promise<never>((_, reject) => {
    refused = reject;
  });
  link.listen({
    refused: ({ message }) => {
      if (handlesRefusals) return;
      refused(
        new FleetFlagError(
          `these credentials may not do that: use those of an operator (\`fleet mint --role admin\`, or observer to look only); the broker says: ${message}`,
        ),
      );
    },
  });
  try {
    // A caller without the permission to listen would wait for ever, and see nothing.
    return await Promise.race([work(link), refusal]);
  } finally {
    await link.close();
  }
}
