// A cheap lower bound of a message's size in bytes, to refuse what no remote end accepts before it is copied anywhere.

import type { WireMessage } from '@codex/exec-protocol';

export function minimumWireBytes(message: WireMessage, isBinary = false): number {
  if (typeof message === 'string') return message.length;
  let total = 0;
  for (const segment of message) {
    const isRaw = isBinary || typeof segment === 'string';
    total += isRaw ? segment.length : Math.ceil(segment.length / 3) * 4;
  }
  return total;
}
