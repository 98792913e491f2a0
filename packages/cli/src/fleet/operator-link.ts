// The connection of an operator's command to the broker, for as long as the command runs.

import type { BrokerLink } from '@codex/exec-fleet';
import { type BrokerFlags, brokerPlace } from '../settings/fleet-flags.js';

export async function withLink<T>(flags: BrokerFlags, work: (link: BrokerLink) => Promise<T>): Promise<T> {
  const { BrokerLink: Link } = await import('@codex/exec-fleet');
  const link = await Link.connect({ ...brokerPlace(flags), name: 'exec-server fleet' });
  try {
    return await work(link);
  } finally {
    await link.close();
  }
}
