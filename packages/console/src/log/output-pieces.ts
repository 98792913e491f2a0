// Cuts the output of a terminal into pieces of which an emulator draws each in a moment, however hostile they are. A
// sequence of a dozen bytes may ask for two thousand million lines to be scrolled; the emulator would do it, and looks at the
// clock between two writes only. So counts are bounded before it sees them, by what can have an effect on the screen, and
// a piece ends when drawing it would take long, not when it has many bytes.
//
// What is not complete yet (a sequence, a character) is held back until its rest comes. It draws nothing before that, and
// so a snapshot of the screen between two pieces misses nothing, except inside of a string.

import { C1_LEAD, ESC, endOfControl, readSequence, type Sequence, type Size } from './read-sequence.js';

export interface Piece {
  readonly bytes: Uint8Array;
  /** What drawing it takes, in plain characters. */
  readonly cost: number;
}

export const PIECE_COST = 16 * 1024;
const NOTHING = new Uint8Array();
const [BEL, CAN, SUB] = [0x07, 0x18, 0x1a];

export class OutputPieces {
  size: Size;
  #inside: 'text' | 'belString' | 'string' | 'endless' = 'text';
  #held: Uint8Array = NOTHING;

  constructor(size: Size) {
    this.size = size;
  }

  /** Nothing has begun that what comes would end. */
  get isBetween(): boolean {
    return this.#inside === 'text' && this.#held.length === 0;
  }

  reset(): void {
    this.#inside = 'text';
    this.#held = NOTHING;
  }

  *cut(output: Uint8Array): Generator<Piece> {
    const bytes = joined(this.#held, output);
    const end = bytes.length - halfCharacter(bytes);
    let [begin, at, cost] = [0, 0, 0];
    let [nextEscape, nextC1] = [-1, -1];
    while (at < end) {
      if (this.#inside === 'endless') {
        begin = at = endOfControl(bytes, at) ?? end;
        if (at < end) this.#inside = 'text';
        continue;
      }
      if (nextEscape < at) nextEscape = indexOf(bytes, ESC, at);
      if (nextC1 < at) nextC1 = indexOf(bytes, C1_LEAD, at);
      const next = Math.min(nextEscape, nextC1, end, at + Math.max(1, PIECE_COST - cost));
      if (next > at) {
        this.#leaveString(bytes, at, next);
        cost += next - at;
        at = next;
      } else {
        const sequence = readSequence(bytes, at, this.size);
        if (sequence === undefined) break;
        this.#enter(sequence);
        if (sequence.replacement !== undefined) {
          yield {
            bytes: joined(bytes.subarray(begin, at), sequence.replacement),
            cost: cost + sequence.cost,
          };
          begin = sequence.end;
          cost = 0;
        } else cost += sequence.cost;
        at = sequence.end;
      }
      if (cost >= PIECE_COST) {
        yield { bytes: bytes.subarray(begin, at), cost };
        begin = at;
        cost = 0;
      }
    }
    this.#held = bytes.slice(at);
    if (at > begin) yield { bytes: bytes.subarray(begin, at), cost };
  }

  /** Whatever is no text ends a string. */
  #enter({ opens, isEndless, isText }: Sequence): void {
    if (isText === true) return;
    this.#inside = isEndless === true ? 'endless' : (opens ?? 'text');
  }

  #leaveString(bytes: Uint8Array, from: number, to: number): void {
    if (this.#inside === 'text') return;
    const part = bytes.subarray(from, to);
    if (part.includes(CAN) || part.includes(SUB)) this.#inside = 'text';
    else if (this.#inside === 'belString' && part.includes(BEL)) this.#inside = 'text';
  }
}

function indexOf(bytes: Uint8Array, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from);
  return index === -1 ? Number.POSITIVE_INFINITY : index;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

/** How many bytes at the end are a character of which more is to come. */
function halfCharacter(bytes: Uint8Array): number {
  for (let length = 1; length <= 3; length++) {
    const byte = bytes[bytes.length - length];
    if (byte === undefined || byte < 0x80) return 0;
    if (byte >= 0xc0) return byte >= 0xf0 || (byte >= 0xe0 && length < 3) || length < 2 ? length : 0;
  }
  return 0;
}
