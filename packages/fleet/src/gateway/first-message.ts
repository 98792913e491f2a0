// The only message that a gateway reads: whether a client comes back to a session, and to which machine.

import { Buffer } from 'node:buffer';
import { parseMessage, type RequestId } from '@codex/exec-protocol';
import { messageText } from '@codex/exec-rpc/bytes';
import { decodeTrace, type Trace } from '../spans/open-spans.js';

const MOST_BYTES = 64 * 1024;

export interface FirstMessage {
  readonly id: RequestId | undefined;
  readonly resumeSessionId: string | null;
  /** Of the span that the opening is a part of. */
  readonly trace?: Trace;
}

/** What is no `initialize` is passed on to any machine, which answers it as it answers everything. */
export function readFirstMessage(message: string | Uint8Array): FirstMessage {
  const nothing = { id: undefined, resumeSessionId: null };
  // Binary websocket messages are JSON as well, before anything else is agreed on.
  const text = typeof message === 'string' ? message : messageText(Buffer.from(message));
  if (text === undefined || Buffer.byteLength(text) > MOST_BYTES) return nothing;
  try {
    const parsed = parseMessage(text);
    if (parsed.kind !== 'request' || parsed.method !== 'initialize') return nothing;
    const session: unknown = Reflect.get(Object(parsed.params), 'resumeSessionId');
    const trace = decodeTrace(parsed.trace);
    const traced = trace === undefined ? {} : { trace };
    return { ...traced, id: parsed.id, resumeSessionId: typeof session === 'string' ? session : null };
  } catch {
    return nothing;
  }
}
