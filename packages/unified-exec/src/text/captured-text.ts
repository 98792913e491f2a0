// The text of a window for a model. Codex joins bytes and decodes afterwards, so a character that was cut in two shows as
// a replacement; the client's own text leaves it out.

import type { Captured } from '@codex/exec-client';

/** What a window keeps: half of it for the beginning, half for the end. */
export const WINDOW_BYTES = 1024 * 1024;

export function capturedText(output: Captured, asBytes: boolean): string {
  // With a gap in the stream the beginning may be shorter than its half, and only the client knows where it ends.
  if (!asBytes || output.gaps.length > 0) return output.text;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(withMarker(output));
}

function withMarker({ bytes, omittedBytes }: Captured): Uint8Array {
  if (omittedBytes === 0) return bytes;
  const head = WINDOW_BYTES / 2;
  const marker = new TextEncoder().encode(`\n... ${omittedBytes} bytes omitted ...\n`);
  const joined = new Uint8Array(bytes.length + marker.length);
  joined.set(bytes.subarray(0, head));
  joined.set(marker, head);
  joined.set(bytes.subarray(head), head + marker.length);
  return joined;
}
