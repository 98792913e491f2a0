// What is kept of a command's output: the beginning and the end, within a bound, and how much was left out between them.

/** Bytes of one stream, or of several in the order they came. */
export class CapturedOutput {
  readonly #headRoom: number;
  readonly #tailRoom: number;
  readonly #head: Buffer[] = [];
  #headLength = 0;
  /** A ring, made when the head is full. */
  #tail: Buffer | undefined;
  #tailEnd = 0;
  #total = 0;

  constructor(maxBytes: number) {
    this.#headRoom = Math.ceil(maxBytes / 2);
    this.#tailRoom = Math.floor(maxBytes / 2);
  }

  get totalBytes(): number {
    return this.#total;
  }

  /** The bytes are copied. */
  add(bytes: Uint8Array): void {
    this.#total += bytes.length;
    const room = this.#headRoom - this.#headLength;
    const forHead = bytes.subarray(0, room);
    if (forHead.length > 0) {
      this.#head.push(Buffer.from(forHead));
      this.#headLength += forHead.length;
    }
    if (bytes.length > room) this.#addToTail(bytes.subarray(room));
  }

  #addToTail(bytes: Uint8Array): void {
    if (this.#tailRoom === 0) return;
    this.#tail ??= Buffer.allocUnsafe(this.#tailRoom);
    let rest = bytes.length > this.#tailRoom ? bytes.subarray(bytes.length - this.#tailRoom) : bytes;
    this.#tailEnd += bytes.length - rest.length;
    while (rest.length > 0) {
      const at = this.#tailEnd % this.#tailRoom;
      const part = rest.subarray(0, this.#tailRoom - at);
      this.#tail.set(part, at);
      this.#tailEnd += part.length;
      rest = rest.subarray(part.length);
    }
  }

  /** Text, with a line about what was left out in its place. A character is never cut: its half counts as left out. */
  read(): CapturedText {
    const head = Buffer.concat(this.#head);
    const tail = this.#tailBytes();
    const missing = this.#total - head.length - tail.length;
    if (missing === 0) return { text: decode(Buffer.concat([head, tail])), omittedBytes: 0 };
    const headKept = head.subarray(0, wholeCharactersLength(head));
    const tailKept = tail.subarray(firstCharacterStart(tail));
    const omittedBytes = this.#total - headKept.length - tailKept.length;
    const note = `\n[… ${omittedBytes} bytes omitted …]\n`;
    return { text: `${decode(headKept)}${note}${decode(tailKept)}`, omittedBytes };
  }

  #tailBytes(): Buffer {
    const tail = this.#tail;
    if (tail === undefined) return Buffer.alloc(0);
    if (this.#tailEnd <= this.#tailRoom) return tail.subarray(0, this.#tailEnd);
    const start = this.#tailEnd % this.#tailRoom;
    return Buffer.concat([tail.subarray(start), tail.subarray(0, start)]);
  }
}

export interface CapturedText {
  readonly text: string;
  readonly omittedBytes: number;
}

/** Invalid UTF-8 becomes U+FFFD. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

const LONGEST_CHARACTER = 4;

/** Without a last character that is not complete. */
function wholeCharactersLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(LONGEST_CHARACTER - 1, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return characterLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function firstCharacterStart(bytes: Uint8Array): number {
  const most = Math.min(LONGEST_CHARACTER - 1, bytes.length);
  let at = 0;
  while (at < most && isContinuation(bytes[at] ?? 0)) at += 1;
  return at;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function characterLength(first: number): number {
  if (first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
