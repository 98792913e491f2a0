// Keeps characters whole across chunks: the bytes of an unfinished one wait for the next chunk.

const NOTHING = new Uint8Array(0);
/** Without `stream` it keeps nothing between two calls. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export interface WholeText {
  /** Bytes of the previous chunk that belong to the first character of this one. */
  readonly carried: Uint8Array;
  /** How many bytes of this chunk are whole characters. */
  readonly wholeBytes: number;
}

export class Utf8Carry {
  #carried: Uint8Array = NOTHING;

  /** Bytes that wait for their continuation. */
  get pending(): Uint8Array {
    return this.#carried;
  }

  next(chunk: Uint8Array): WholeText {
    const carried = this.#carried;
    const unfinished = unfinishedTail(carried, chunk);
    const wholeBytes = Math.max(0, chunk.length - unfinished);
    this.#carried =
      unfinished === 0
        ? NOTHING
        : unfinished <= chunk.length
          ? chunk.subarray(wholeBytes)
          : join(carried, chunk);
    return unfinished > chunk.length ? { carried: NOTHING, wholeBytes: 0 } : { carried, wholeBytes };
  }

  /** A gap: what waited will never be finished. */
  reset(): void {
    this.#carried = NOTHING;
  }
}

export function decodeWhole(chunk: Uint8Array, { carried, wholeBytes }: WholeText): string {
  if (carried.length === 0) return decoder.decode(chunk.subarray(0, wholeBytes));
  return decoder.decode(join(carried, chunk.subarray(0, wholeBytes)));
}

// Looks back at most three bytes for a lead byte whose sequence is not complete yet. Bytes that cannot become a
// character are not held back.
function unfinishedTail(carried: Uint8Array, chunk: Uint8Array): number {
  const total = carried.length + chunk.length;
  const at = (index: number): number =>
    (index < carried.length ? carried[index] : chunk[index - carried.length]) ?? 0;
  for (let back = 1; back <= Math.min(3, total); back++) {
    const byte = at(total - back);
    if ((byte & 0xc0) === 0x80) continue;
    const needed =
      byte >= 0xf0 && byte < 0xf8 ? 4 : byte >= 0xe0 ? (byte < 0xf0 ? 3 : 0) : byte >= 0xc2 ? 2 : 0;
    return needed > back ? back : 0;
  }
  return 0;
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
