// Follows where the escape sequences and characters of a terminal's output begin and end, and nothing else. A snapshot of a
// terminal holds no half sequence, so one may only be taken where none is open.

const ESC = 0x1b;
const BEL = 0x07;

type State = 'ground' | 'escape' | 'control' | 'string' | 'stringEscape';

export class EscapeState {
  #state: State = 'ground';
  /** Bytes that the current UTF-8 character still needs. */
  #missing = 0;

  get isBetween(): boolean {
    return this.#state === 'ground' && this.#missing === 0;
  }

  feed(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#state === 'ground') {
        if (byte === ESC) {
          this.#state = 'escape';
          this.#missing = 0;
        } else if (byte >= 0x80) this.#character(byte);
        else this.#missing = 0;
      } else this.#inside(byte);
    }
  }

  #character(byte: number): void {
    if (byte < 0xc0) this.#missing = Math.max(0, this.#missing - 1);
    else this.#missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  }

  #inside(byte: number): void {
    // CAN and SUB end every sequence.
    if (byte === 0x18 || byte === 0x1a) this.#state = 'ground';
    else if (this.#state === 'string') {
      if (byte === ESC) this.#state = 'stringEscape';
      else if (byte === BEL) this.#state = 'ground';
    } else if (this.#state === 'stringEscape') {
      // ESC \ ends the string, another escape begins a sequence of its own.
      if (byte === 0x5c) this.#state = 'ground';
      else this.#afterEscape(byte);
    } else if (byte === ESC) this.#state = 'escape';
    else if (this.#state === 'control') {
      if (byte >= 0x40 && byte <= 0x7e) this.#state = 'ground';
    } else this.#afterEscape(byte);
  }

  #afterEscape(byte: number): void {
    // [ begins a control sequence; ] P X ^ _ begin strings; 0x20 to 0x2f go on.
    if (byte === 0x5b) this.#state = 'control';
    else if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f)
      this.#state = 'string';
    else if (byte >= 0x20 && byte <= 0x2f) this.#state = 'escape';
    else this.#state = byte === ESC ? 'escape' : 'ground';
  }
}
