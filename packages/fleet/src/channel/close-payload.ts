// How a channel ended, as the payload of its last frame.

import { Buffer } from 'node:buffer';
import type { ChannelClose } from '@codex/exec-rpc';

export const CLOSE_NORMAL = 1000;
export const CLOSE_GOING_AWAY = 1001;
export const CLOSE_BROKEN = 1006;
/** What waits for a remote end that does not read is dropped. */
export const CLOSE_NOT_READING = 1008;
export const CLOSE_TRY_AGAIN = 1013;

const MAX_REASON_CHARACTERS = 1000;

/** With room in front for a header. */
export function encodeClose({ code, reason }: ChannelClose, headerBytes: number): Buffer {
  const text = JSON.stringify({ code, reason: reason.slice(0, MAX_REASON_CHARACTERS) });
  return Buffer.concat([Buffer.alloc(headerBytes), Buffer.from(text)]);
}

/** Of what the remote end wrote, whatever that is. */
export function decodeClose(payload: Buffer): ChannelClose {
  let parsed: unknown;
  try {
    parsed = JSON.parse(payload.toString('utf8'));
  } catch {
    parsed = undefined;
  }
  const { code, reason } = Object(parsed) as { readonly code?: unknown; readonly reason?: unknown };
  return {
    ...(isCloseCode(code) ? { code } : {}),
    reason: typeof reason === 'string' ? reason : '',
    clean: true,
  };
}

/** Of those that a websocket may send: a gateway passes them on to its client, and no other would get through. */
function isCloseCode(code: unknown): code is number {
  if (!Number.isInteger(code)) return false;
  const number = code as number;
  const isReserved = number >= 1004 && number <= CLOSE_BROKEN;
  return (number >= CLOSE_NORMAL && number <= 1014 && !isReserved) || (number >= 3000 && number <= 4999);
}
