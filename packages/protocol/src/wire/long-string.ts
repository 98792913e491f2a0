// The first long string of a message that is still bytes, found without looking at what is in it.

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface LongString extends Span {
  /** Without an escape that hides a quote, and behind a colon. */
  readonly isPlainValue: boolean;
  /** Open arrays and objects around it. */
  readonly depth: number;
  /** The string before it, which is its key if it has one. */
  readonly key: Span;
  /** The string before the second level of the message was opened: `params` of a request. */
  readonly owner: Span;
}

/** A shorter string costs little, whatever is done with it. */
export const LEAST_PAYLOAD_BYTES: number = 64 * 1024;

/** Clients write the short members of a request before or behind the long one; this is room for those before it. */
const MOST_BYTES_BEFORE = 1024 * 1024;

/** More quotes than that inside of a string are not hopped over, nor more backslashes before them counted. */
const MOST_ESCAPED_QUOTES = 256 * 1024;
const MOST_BACKSLASHES = 1024 * 1024;

const SPACE = 32;
const QUOTE = 34;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

const NOWHERE: Span = { start: 0, end: 0 };

/** The quote that closes the string whose text begins at `start`; -1 if there is none or too much in front of it. */
export function closingQuote(source: Uint8Array, start: number): { end: number; isPlain: boolean } {
  let end = source.indexOf(QUOTE, start);
  let counted = 0;
  for (let escaped = 0; end !== -1 && escaped < MOST_ESCAPED_QUOTES; escaped++) {
    let slashes = 0;
    while (end - slashes > start && source[end - 1 - slashes] === BACKSLASH) {
      if (++counted > MOST_BACKSLASHES) return { end: -1, isPlain: false };
      slashes++;
    }
    if (slashes % 2 === 0) return { end, isPlain: escaped === 0 && slashes === 0 };
    end = source.indexOf(QUOTE, end + 1);
  }
  return { end: -1, isPlain: false };
}

/** What lies before it is not checked, so this is right only where the rest turns out to be valid JSON. */
export function findLongString(source: Uint8Array): LongString | undefined {
  let depth = 0;
  let last = NOWHERE;
  let owner = NOWHERE;
  let previous = 0;
  const limit = Math.min(MOST_BYTES_BEFORE, source.length);
  for (let index = 0; index < limit; index++) {
    const code = source[index] ?? 0;
    if (code <= SPACE) continue;
    if (code === QUOTE) {
      const start = index + 1;
      const { end, isPlain } = closingQuote(source, start);
      if (end === -1) return undefined;
      if (end - start >= LEAST_PAYLOAD_BYTES) {
        return { start, end, isPlainValue: isPlain && previous === COLON, depth, key: last, owner };
      }
      last = { start, end };
      index = end;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth++;
      if (depth === 2) owner = code === OPEN_BRACE ? last : NOWHERE;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth--;
    }
    previous = code;
  }
  return undefined;
}
