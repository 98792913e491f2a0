// One escape sequence as the emulator reads it: where it ends, what drawing it takes, and, where it asks for more than can
// have an effect on the screen, what asks for that much instead. Bytes that the emulator skips inside of a sequence (controls,
// halves of characters) are skipped here too, so that nothing hides a number from one that the other sees.

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

export interface Sequence {
  /** The index behind it. */
  readonly end: number;
  /** In plain characters. */
  readonly cost: number;
  /** No sequence, but a character, or what is none. */
  readonly isText?: boolean | undefined;
  /** Of what follows: text, or a string up to BEL or up to the next sequence. */
  readonly opens?: 'belString' | 'string' | undefined;
  readonly replacement?: Uint8Array | undefined;
  /** It is longer than any that means something, and goes on; the rest is not to be drawn either. */
  readonly isEndless?: boolean | undefined;
}

export const ESC = 0x1b;
/** Leads U+0080 to U+00BF, among which are one-character forms of ESC and a letter. */
export const C1_LEAD = 0xc2;
const [CAN, SUB, DEL] = [0x18, 0x1a, 0x7f];

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const MAX_BYTES = 4096;
/** Of a sequence that moves the cursor, sets a colour, or does nothing. */
const USUAL_COST = 12;
const MODE_COST = 300;
const RESET_COST = 4000;

/** `bytes[at]` is ESC or C1_LEAD. Undefined when its end has not come yet. */
export function readSequence(bytes: Uint8Array, at: number, size: Size): Sequence | undefined {
  if (bytes[at] === C1_LEAD) return readC1(bytes, at, size);
  let [next, previous] = [at + 1, 0];
  for (; ; next++) {
    const byte = bytes[next];
    if (byte === undefined) return next - at > MAX_BYTES ? endless(next) : undefined;
    if (byte === ESC || isCharacter(bytes, next)) return { end: next, cost: 1 };
    if (byte === CAN || byte === SUB) return { end: next + 1, cost: 1 };
    if (byte === C1_LEAD && next + 1 === bytes.length) return undefined;
    if (isSkipped(byte)) continue;
    if (byte > 0x2f) break;
    previous = byte;
  }
  const final = String.fromCharCode(bytes[next] ?? 0);
  const end = next + 1;
  if (previous !== 0) return { end, cost: previous === 0x23 ? size.cols * size.rows : USUAL_COST };
  if (final === '[') return readControl(bytes, at, end, size);
  if (final === ']') return { end, cost: USUAL_COST, opens: 'belString' };
  if ('PX^_'.includes(final)) return { end, cost: USUAL_COST, opens: 'string' };
  return { end, cost: final === 'c' ? RESET_COST : USUAL_COST };
}

function readC1(bytes: Uint8Array, at: number, size: Size): Sequence | undefined {
  const byte = bytes[at + 1];
  if (byte === undefined) return undefined;
  const end = at + 2;
  if (byte === 0x9b) return readControl(bytes, at, end, size);
  if (byte === 0x9d) return { end, cost: USUAL_COST, opens: 'belString' };
  if (byte === 0x90 || byte === 0x98 || byte === 0x9e || byte === 0x9f)
    return { end, cost: USUAL_COST, opens: 'string' };
  if (byte >= 0x80 && byte < 0xa0) return { end, cost: 1 };
  return { end: (byte & 0xc0) === 0x80 ? end : at + 1, cost: 1, isText: true };
}

/** From behind its introducer at `begin`. */
function readControl(bytes: Uint8Array, at: number, begin: number, size: Size): Sequence | undefined {
  let count = 0;
  let isFirst = true;
  let mark = 0;
  for (let next = begin; ; next++) {
    const byte = bytes[next];
    if (next - at > MAX_BYTES) return endless(next);
    if (byte === undefined) return undefined;
    if (byte === ESC || isCharacter(bytes, next)) return { end: next, cost: USUAL_COST };
    if (byte === CAN || byte === SUB) return { end: next + 1, cost: USUAL_COST };
    if (byte === C1_LEAD && next + 1 === bytes.length) return undefined;
    if (isSkipped(byte)) continue;
    if (byte > 0x3f) return control(bytes.subarray(begin, next + 1), { mark, count, end: next + 1, size });
    if (byte < 0x30 || byte > 0x3b) mark = byte;
    else if (byte > 0x39) isFirst = false;
    else if (isFirst) count = Math.min(count * 10 + byte - 0x30, 0x7fffffff);
  }
}

interface ControlRead {
  /** What tells it from the sequence with the same last letter, `?` and the like; 0 without. */
  readonly mark: number;
  readonly count: number;
  readonly end: number;
  readonly size: Size;
}

/** `bytes` from behind the introducer on. */
function control(bytes: Uint8Array, { mark, count, end, size }: ControlRead): Sequence {
  const { cols, rows } = size;
  const final = String.fromCharCode(bytes.at(-1) ?? 0);
  const isMode = final === 'h' || final === 'l';
  if (mark !== 0) return { end, cost: isMode ? MODE_COST : mark === 0x3f ? USUAL_COST : cols * rows };
  const [most, each] = repeated(final, size);
  if (most === 0) return { end, cost: final === 'J' ? cols * rows : USUAL_COST };
  const cost = USUAL_COST + Math.min(Math.max(count, 1), most) * each;
  if (count <= most) return { end, cost };
  // Controls inside of a sequence take effect before it does.
  const controls = String.fromCharCode(...bytes.filter((byte) => byte < 0x20));
  // Characters that are repeated end in the same column.
  const times = final === 'b' ? most + ((count - most) % cols) : most;
  return { end, cost, replacement: new TextEncoder().encode(`${controls}\u001b[${times}${final}`) };
}

/** How often it can have an effect that is seen, and what each time costs. */
function repeated(final: string, { cols, rows }: Size): readonly [most: number, each: number] {
  switch (final) {
    // A character again: after a screen of them nothing else is seen.
    case 'b':
      return [cols * rows, 2];
    case 'S':
    case 'T':
    case 'L':
    case 'M':
      return [rows, cols + rows];
    case 'I':
    case 'Z':
      return [cols, 1];
    default:
      return [0, 0];
  }
}

/** Where a control sequence that is not drawn ends, looked for from `at` on. */
export function endOfControl(bytes: Uint8Array, at: number): number | undefined {
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next] ?? 0;
    if (byte === ESC || isCharacter(bytes, next)) return next;
    if (byte === CAN || byte === SUB || (byte > 0x3f && byte < DEL)) return next + 1;
  }
  return undefined;
}

function endless(end: number): Sequence {
  return { end, cost: 1, replacement: new Uint8Array(), isEndless: true };
}

function isSkipped(byte: number): boolean {
  return byte < 0x20 || byte >= DEL;
}

/** A whole character beyond ASCII ends a sequence. What is none is as if it were not there, and so is U+FEFF. */
function isCharacter(bytes: Uint8Array, at: number): boolean {
  const lead = bytes[at] ?? 0;
  if (lead < C1_LEAD) return false;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  try {
    return strict.decode(bytes.subarray(at, at + length)) !== '\ufeff';
  } catch {
    return false;
  }
}
