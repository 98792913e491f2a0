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

/** Below this many keys a linear search is cheaper than a set. */
const SMALL_OBJECT = 12;

class KeyRegister {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  add(key: string): void {
    if (this.#many === undefined ? this.#few.includes(key) : this.#many.has(key)) {
      throw new MalformedMessageError(`duplicate JSON object key \`${key}\``);
    }
    if (this.#many !== undefined) this.#many.add(key);
    else if (this.#few.push(key) > SMALL_OBJECT) this.#many = new Set(this.#few);
  }
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

/** Returns the literal text of the top-level `id` when it is neither a string nor a container. */
export function scanJson(text: string): string | undefined {
  /** The register of each open object; undefined stands for an array. */
  const open: (KeyRegister | undefined)[] = [];
  let current: KeyRegister | undefined;
  let values = 0;
  let expectsKey = false;
  let topLevelKey = '';
  let idText: string | undefined;

  const count = () => {
    if (++values > MAX_JSON_VALUES) {
      throw new MalformedMessageError(`JSON-RPC message exceeds the limit of ${MAX_JSON_VALUES} JSON values`);
    }
  };

  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= SPACE || code === COLON) continue;
    if (code === QUOTE) {
      const end = closingQuote(text, index + 1);
      if (expectsKey && current !== undefined) {
        const key = decodeKey(text.slice(index + 1, end));
        current.add(key);
        if (open.length === 1) topLevelKey = key;
        expectsKey = false;
      } else count();
      index = end;
    } else if (code === COMMA) {
      expectsKey = current !== undefined;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      count();
      if (open.length === MAX_JSON_DEPTH) throw new MalformedMessageError('recursion limit exceeded');
      current = code === OPEN_BRACE ? new KeyRegister() : undefined;
      expectsKey = current !== undefined;
      open.push(current);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      open.pop();
      current = open.at(-1);
      expectsKey = false;
    } else {
      count();
      const end = endOfScalar(text, index);
      if (open.length === 1 && topLevelKey === 'id') idText = text.slice(index, end);
      index = end - 1;
    }
  }
  return idText;
}
