// The only message that a gateway reads: whether a client comes back to a session, and to which machine.

import { Buffer } from 'node:buffer';
import { parseMessage, type RequestId } from '@codex/exec-protocol';

const MOST_BYTES = 64 * 1024;

export interface FirstMessage {
  readonly id: RequestId | undefined;
  readonly resumeSessionId: string | null;
}

/** What is no `initialize` is passed on to any machine, which answers it as it answers everything. */
export function readFirstMessage(text: string): FirstMessage {
  const nothing = { id: undefined, resumeSessionId: null };
  if (Buffer.byteLength(text) > MOST_BYTES) return nothing;
  try {
    const message = parseMessage(text);
    if (message.kind !== 'request' || message.method !== 'initialize') return nothing;
    const session: unknown = Reflect.get(Object(message.params), 'resumeSessionId');
    return { id: message.id, resumeSessionId: typeof session === 'string' ? session : null };
  } catch {
    return nothing;
  }
}
