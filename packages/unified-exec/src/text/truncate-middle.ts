// Cuts the middle out of a text: whole characters, half of the budget for the beginning and half for the end.

/** A limit for what a model is shown, in one of two units, which also names what was cut. */
export type OutputPolicy = { readonly tokens: number } | { readonly bytes: number };

export interface Budget {
  readonly bytes: number;
  /** Whether the marker counts tokens or characters. */
  readonly unit: 'tokens' | 'chars';
  readonly bytesPerToken: number;
}

/** The marker is not charged to the budget. */
export function truncateMiddle(text: string, { bytes: budget, unit, bytesPerToken }: Budget): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= budget) return text;
  const left = Math.floor(budget / 2);
  const head = wholeBefore(bytes, left);
  const tail = wholeFrom(bytes, bytes.length - (budget - left));
  const decode = (part: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(part);
  const removed =
    unit === 'tokens'
      ? Math.ceil((bytes.length - budget) / bytesPerToken)
      : characters(decode(bytes.subarray(head, tail)));
  return `${decode(bytes.subarray(0, head))}…${removed} ${unit} truncated…${decode(bytes.subarray(tail))}`;
}

function characters(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function wholeBefore(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at > 0 && isContinuation(bytes[at])) at--;
  return at;
}

function wholeFrom(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && isContinuation(bytes[at])) at++;
  return at;
}
