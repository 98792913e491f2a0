// Who waits for the answer to a message that is too long to be parsed: its id and method, looked for where clients write them. These
// are the beginning of the message and its end; between them nothing is looked at.
import { runtime } from '../runtime.js';
import { closingQuote } from './long-string.js';
import { parseMessage } from './parse-message.js';
import type { RequestId } from './wire-message.js';

export interface LongRequest {
  readonly id: RequestId;
  readonly method: string;
}

/** Room for the members before `params`, and for small ones behind it. */
const MOST_BYTES_BEFORE = 64 * 1024;

const MOST_BYTES_OF_A_MEMBER = 1024;

/** A comma before the quote: what is inside of a string has a backslash there. */
const ID_AT_THE_END = /,\s*"id"\s*:\s*([^",{}[\]\s]+|"[^"\\]*")\s*\}\s*$/;

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

const decoderOf = (fatal: boolean) => new runtime.TextDecoder('utf-8', { fatal, ignoreBOM: true });

/** Behind the number or word that starts there. */
function endOfWord(source: Uint8Array, start: number): number {
  let end = start;
  for (; end < source.length; end++) {
    const code = source[end] ?? 0;
    if (code <= SPACE || code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET) break;
  }
  return end;
}

/** The literals of the members of the outermost object, as far as they are short and at its beginning. Undefined when a key is there twice. */
function membersAtTheBeginning(source: Uint8Array): Map<string, string> | undefined {
  const members = new Map<string, string>();
  const decoder = decoderOf(true);
  const limit = Math.min(MOST_BYTES_BEFORE, source.length);
  let depth = 0;
  let key: string | undefined;
  let isValue = false;
  for (let index = 0; index < limit; index++) {
    const code = source[index] ?? 0;
    if (code <= SPACE) continue;
    if (code === COLON) isValue = true;
    else if (code === COMMA) isValue = false;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth++;
      isValue = false;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    else {
      const end = code === QUOTE ? closingQuote(source, index + 1).end + 1 : endOfWord(source, index);
      if (end === 0) break;
      const isShort = depth === 1 && end - index <= MOST_BYTES_OF_A_MEMBER;
      const literal = isShort ? decoder.decode(source.subarray(index, end)) : '';
      if (!isValue) key = literal;
      else if (depth === 1 && key !== undefined) {
        if (key !== '' && members.has(key)) return undefined;
        members.set(key, literal);
      }
      index = end - 1;
    }
  }
  return members;
}

function idAtTheEnd(source: Uint8Array): string | undefined {
  const start = Math.max(MOST_BYTES_BEFORE, source.length - MOST_BYTES_OF_A_MEMBER);
  // A cut may fall into a character, which is none of the id's.
  return ID_AT_THE_END.exec(decoderOf(false).decode(source.subarray(start)))?.[1];
}

/** Undefined for what is no request, and for one whose id or method is not where clients write it, or is there twice. */
export function findLongRequest(source: Uint8Array): LongRequest | undefined {
  try {
    const members = membersAtTheBeginning(source);
    const method = members?.get('"method"');
    const ids = [members?.get('"id"'), idAtTheEnd(source)].filter((id) => id !== undefined);
    const [id] = ids;
    if (method === undefined || id === undefined || ids.length > 1) return undefined;
    const message = parseMessage(`{"id":${id},"method":${method || '""'}}`);
    return message.kind === 'request' ? message : undefined;
  } catch {
    // Not UTF-8, or no id: nobody can be told by name.
    return undefined;
  }
}
