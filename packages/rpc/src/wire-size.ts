// A cheap lower bound of a message's size in bytes, to refuse what no remote end accepts before it is copied anywhere.

import type { WireMessage } from '@codex/exec-protocol';

export function minimumWireBytes(message: WireMessage): number {
  if (typeof message === 'string') return message.length;
  let total = 0;
  for (const segment of message) {
    total += typeof segment === 'string' ? segment.length : Math.ceil(segment.length / 3) * 4;
  }
  return total;
}
