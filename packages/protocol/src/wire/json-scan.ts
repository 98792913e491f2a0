// Looks at the structure of a JSON text before it is parsed: bounds on depth and number of values, duplicate
// keys, and the literal text of the top-level `id`. It does not validate syntax; JSON.parse does that next.
// Strings are hopped over with indexOf, so a payload of megabytes costs one native search.
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../limits.js';
import { MalformedMessageError } from './malformed-message-error.js';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const SPACE = 32;

/** Up to this many keys a linear search is cheaper than a set. */
const SMALL_OBJECT = 12;

/** A key with escapes counts as that many: each is decoded by itself. */
const ESCAPED_KEY_COST = 4;

const ARRAY = -1;

/** The keys of all open objects, one above the other: an object costs no allocation of its own. */
class OpenContainers {
  /** Where the keys of each open container start; `ARRAY` for one that has none. */
  readonly starts: number[] = [];
  readonly keys: string[] = [];
  /** Only for objects that have outgrown the linear search, by depth. */
  readonly sets: (Set<string> | undefined)[] = [];
}

function addKey({ starts, keys, sets }: OpenContainers, start: number, key: string): void {
  const set = sets[starts.length];
  if (set === undefined ? keys.indexOf(key, start) !== -1 : set.has(key)) {
    throw new MalformedMessageError(`duplicate JSON object key \`${key}\``);
  }
  if (set !== undefined) set.add(key);
  else if (keys.push(key) - start > SMALL_OBJECT) sets[starts.length] = new Set(keys.slice(start));
}

/** Index of the quote that closes the string opened before `from`, or the end of the text. */
function closingQuote(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}

function decodeKey(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch (cause) {
    throw new MalformedMessageError('the message is not valid JSON', cause);
  }
}

function endOfScalar(text: string, from: number): number {
  let index = from;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= SPACE) break;
  }
  return index;
}

function tooManyKeys(limit: number): MalformedMessageError {
  return MalformedMessageError.tooMuch(`JSON-RPC message exceeds the limit of ${limit} object keys`);
}

function tooManyValues(): MalformedMessageError {
  return new MalformedMessageError(`JSON-RPC message exceeds the limit of ${MAX_JSON_VALUES} JSON values`);
}

/** Returns the literal text of the top-level `id` when it is neither a string nor a container. `maxKeys`: of all objects together. */
export function scanJson(text: string, maxKeys: number = Number.POSITIVE_INFINITY): string | undefined {
  const open = new OpenContainers();
  const { starts, keys, sets } = open;
  let start = ARRAY;
  let values = 0;
  let keyCount = 0;
  let expectsKey = false;
  let isTopLevelId = false;
  let idText: string | undefined;

  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= SPACE || code === COLON) continue;
    if (code === QUOTE) {
      const end = closingQuote(text, index + 1);
      if (expectsKey) {
        const raw = text.slice(index + 1, end);
        keyCount += raw.includes('\\') ? ESCAPED_KEY_COST : 1;
        if (keyCount > maxKeys) throw tooManyKeys(maxKeys);
        const key = decodeKey(raw);
        addKey(open, start, key);
        if (starts.length === 1) isTopLevelId = key === 'id';
        expectsKey = false;
      } else if (++values > MAX_JSON_VALUES) throw tooManyValues();
      index = end;
    } else if (code === COMMA) {
      expectsKey = start !== ARRAY;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++values > MAX_JSON_VALUES) throw tooManyValues();
      if (starts.length === MAX_JSON_DEPTH) throw new MalformedMessageError('recursion limit exceeded');
      expectsKey = code === OPEN_BRACE;
      start = expectsKey ? keys.length : ARRAY;
      starts.push(start);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (start !== ARRAY) {
        keys.length = start;
        sets[starts.length] = undefined;
      }
      starts.pop();
      start = starts.at(-1) ?? ARRAY;
      expectsKey = false;
    } else {
      if (++values > MAX_JSON_VALUES) throw tooManyValues();
      const end = endOfScalar(text, index);
      if (isTopLevelId && starts.length === 1) idText = text.slice(index, end);
      index = end - 1;
    }
  }
  return idText;
}
