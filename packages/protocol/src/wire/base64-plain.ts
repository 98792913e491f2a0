// Base64 in plain code, for runtimes that bring none, and the sentence that says what is wrong with a text.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const INVALID = 255;
const PAD = 61; // '='

const VALUES = new Uint8Array(128).fill(INVALID);
for (let value = 0; value < 64; value++) VALUES[ALPHABET.charCodeAt(value)] = value;

const valueAt = (text: string, index: number) => VALUES[text.charCodeAt(index)] ?? INVALID;

function paddingOf(text: string): number {
  if (text.charCodeAt(text.length - 1) !== PAD) return 0;
  return text.charCodeAt(text.length - 2) === PAD ? 2 : 1;
}

export function decodeBase64Plain(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.length === 0 ? 0 : paddingOf(text);
  const symbols = text.length - padding;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  let held = 0;
  let out = 0;
  for (let index = 0; index < symbols; index++) {
    const value = valueAt(text, index);
    if (value === INVALID) return undefined;
    bits = (bits << 6) | value;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[out++] = bits >> held;
      bits &= (1 << held) - 1;
    }
  }
  return bits === 0 ? bytes : undefined;
}

export function encodeBase64Plain(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const group = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    const present = Math.min(3, bytes.length - index) + 1;
    for (let symbol = 0; symbol < 4; symbol++) {
      text += symbol < present ? ALPHABET[(group >> (18 - 6 * symbol)) & 63] : '=';
    }
  }
  return text;
}

/** The engine looks for it: a call for each character of 64 MiB would keep every other client waiting for seconds. */
function firstBadSymbol(text: string): number {
  const foreign = text.search(/[^A-Za-z0-9+/=]/);
  return foreign === -1 ? text.indexOf('=') : foreign;
}

/** The reason a text is refused, in upstream's wording. */
export function explainBase64(text: string): string {
  const symbols = text.length - (text.length === 0 ? 0 : paddingOf(text));
  const bad = firstBadSymbol(text);
  if (bad !== -1 && bad < symbols) return `Invalid symbol ${text.charCodeAt(bad)}, offset ${bad}.`;
  if (symbols % 4 === 1) return `Invalid input length: ${symbols}`;
  if (text.length % 4 !== 0) return 'Invalid padding';
  return `Invalid last symbol ${text.charCodeAt(symbols - 1)}, offset ${symbols - 1}.`;
}
