// A message of the server as it comes: text, or, where it brings bytes, in binary form, so that a command that writes a lot
// costs the page no base64 and no strings of megabytes.

import { readBinaryHeader } from '@codex/exec-protocol';

export interface Incoming {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The messages with a payload that a page is sent; in text form the member is base64. */
interface WithChunk {
  chunk?: number | string | Uint8Array;
}

const HEADER_BYTES = 9;
const decoder = new TextDecoder();

/** `chunk` of params or result is the bytes themselves, whichever form the message had. */
export function parseIncoming(data: string | ArrayBuffer): Incoming {
  if (typeof data === 'string') return JSON.parse(data) as Incoming;
  const source = new Uint8Array(data);
  const { textBytes } = readBinaryHeader(source);
  const end = HEADER_BYTES + textBytes;
  const message = JSON.parse(decoder.decode(source.subarray(HEADER_BYTES, end))) as Incoming;
  const holder = (message.params ?? message.result) as WithChunk | undefined;
  // Only messages with one payload are asked for by this page.
  if (holder !== undefined && typeof holder.chunk === 'number') holder.chunk = source.subarray(end);
  return message;
}
