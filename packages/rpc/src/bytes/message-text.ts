// The text of a received message, or undefined when it is not UTF-8.

import { type Buffer, isAscii, isUtf8 } from 'node:buffer';

export function messageText(data: Buffer): string | undefined {
  // Most traffic is base64 inside ASCII JSON; copying it as latin1 is several times faster than decoding UTF-8.
  if (isAscii(data)) return data.toString('latin1');
  return isUtf8(data) ? data.toString('utf8') : undefined;
}
