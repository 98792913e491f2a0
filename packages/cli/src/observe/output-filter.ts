// Output of others on this terminal. It keeps its colours; all other sequences go: one that asks the terminal for something
// would have it type the answer at the next prompt. A sequence may also begin with a control from U+0080 to U+009F, one byte or two,
// which some terminals obey as they obey an escape: those go too, and what hides one in a longer form than it needs.

const ESCAPE = 0x1b;
const KEPT_CONTROLS = new Set([0x09, 0x0a, 0x0d]);

type State = 'text' | 'escape' | 'csi' | 'string' | 'stringEscape' | 'intermediate';

/** Output as a terminal may have it. It knows its place in a sequence across blocks. */
export class OutputFilter {
  #state: State = 'text';
  #sequence: number[] = [];
  /** The beginning of a character of several bytes. */
  #character: number[] = [];

  take(bytes: Uint8Array): Uint8Array {
    const kept: number[] = [];
    for (const byte of bytes) this.#step(byte, kept);
    return Uint8Array.from(kept);
  }

  #step(byte: number, kept: number[]): void {
    switch (this.#state) {
      case 'text':
        this.#takeText(byte, kept);
        return;
      case 'escape':
        this.#state = afterEscape(byte);
        this.#sequence = [];
        return;
      case 'intermediate':
        if (byte >= 0x30) this.#state = 'text';
        return;
      case 'csi':
        if (byte === ESCAPE) this.#state = 'escape';
        else if (byte >= 0x40 && byte <= 0x7e) {
          // Colours: `m` with numbers only. `>…m` and `?…m` ask and set other things.
          if (byte === 0x6d && this.#sequence.every(isColourByte))
            kept.push(ESCAPE, 0x5b, ...this.#sequence, byte);
          this.#state = 'text';
        } else if (this.#sequence.length < 64) this.#sequence.push(byte);
        return;
      case 'string':
        if (byte === 0x07) this.#state = 'text';
        else if (byte === ESCAPE) this.#state = 'stringEscape';
        return;
      case 'stringEscape':
        this.#state = byte === 0x5c ? 'text' : byte === ESCAPE ? 'stringEscape' : 'string';
    }
  }

  #takeText(byte: number, kept: number[]): void {
    if (this.#character.length > 0 && isContinuation(byte)) {
      this.#goOn(byte, kept);
      return;
    }
    // What was no character after all is left to the terminal, without what could be a control by itself.
    kept.push(...this.#character.filter((each) => each >= 0xa0));
    this.#character = [];
    if (byte === ESCAPE) this.#state = 'escape';
    else if (isContinuation(byte)) this.#takeHigh(byte, [byte], kept);
    else if (byte >= 0xc2 && byte <= 0xf4) this.#character = [byte];
    else if (byte < 0x7f && (byte >= 0x20 || KEPT_CONTROLS.has(byte))) kept.push(byte);
  }

  #goOn(byte: number, kept: number[]): void {
    this.#character.push(byte);
    const bytes = this.#character;
    const length = lengthOf(bytes[0] ?? 0);
    if (bytes.length < length) return;
    this.#character = [];
    const number = numberOf(bytes);
    if (number >= (SMALLEST[length] ?? 0)) this.#takeHigh(number, bytes, kept);
  }

  /** A control is what an escape and the character 0x40 below it are. */
  #takeHigh(number: number, bytes: readonly number[], kept: number[]): void {
    if (number >= 0xa0) kept.push(...bytes);
    else {
      this.#state = afterEscape(number - 0x40);
      this.#sequence = [];
    }
  }
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** How many bytes a character has that begins with this one. */
function lengthOf(first: number): number {
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** The smallest number that needs so many bytes. */
const SMALLEST: Readonly<Record<number, number>> = { 2: 0x80, 3: 0x800, 4: 0x10000 };

function numberOf([first = 0, ...rest]: readonly number[]): number {
  const begin = first & (0xff >> (rest.length + 2));
  return rest.reduce((number, byte) => number * 64 + (byte & 0x3f), begin);
}

function afterEscape(byte: number): State {
  if (byte === 0x5b) return 'csi';
  // OSC, DCS, SOS, PM, APC: strings up to their end.
  if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) return 'string';
  if (byte === ESCAPE) return 'escape';
  return byte >= 0x20 && byte <= 0x2f ? 'intermediate' : 'text';
}

function isColourByte(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x3b || byte === 0x3a;
}
