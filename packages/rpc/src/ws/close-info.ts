// Close codes and reasons, as this end reports them and as they may stand in a close frame.

import { Buffer } from 'node:buffer';
import { type ChannelClose, CLOSE_NOT_UTF8, CLOSE_TOO_LARGE } from '../channel.js';

export const CLOSE_NORMAL = 1000;
export const CLOSE_GOING_AWAY = 1001;
export const CLOSE_PROTOCOL_ERROR = 1002;
export const CLOSE_BROKEN = 1006;
export const CLOSE_INTERNAL = 1011;

const MAX_REASON_BYTES = 123;

/** Cuts a reason at a character border so that it fits into a close frame. */
export function fitReason(reason: string): string {
  const bytes = Buffer.from(reason, 'utf8');
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  let end = MAX_REASON_BYTES;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

/** What `ws` found wrong with the received frames, as a close. */
export function closeOfError(error: Error): ChannelClose {
  const name = String(Reflect.get(error, 'code') ?? '');
  if (name === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' || name === 'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH') {
    return { code: CLOSE_TOO_LARGE, reason: 'message too large', clean: false };
  }
  if (name === 'WS_ERR_INVALID_UTF8') return { code: CLOSE_NOT_UTF8, reason: error.message, clean: false };
  if (name.startsWith('WS_ERR_')) return { code: CLOSE_PROTOCOL_ERROR, reason: error.message, clean: false };
  return { code: CLOSE_BROKEN, reason: error.message, clean: false };
}

export function closeOfFrame(code: number, reason: string): ChannelClose {
  if (code !== CLOSE_BROKEN) return { code, reason, clean: true };
  return { code, reason: reason === '' ? 'connection lost without a close frame' : reason, clean: false };
}
