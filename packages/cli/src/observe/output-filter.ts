// Output of others on this terminal. It keeps its colours; all other sequences go: one that asks the terminal for something
// would have it type the answer at the next prompt.

const ESCAPE = 0x1b;
const KEPT_CONTROLS = new Set([0x09, 0x0a, 0x0d]);

type State = 'text' | 'escape' | 'csi' | 'string' | 'stringEscape' | 'intermediate';

/** Output as a terminal may have it. It knows its place in a sequence across blocks. */
export class OutputFilter {
  #state: State = 'text';
  #sequence: number[] = [];

  take(bytes: Uint8Array): Uint8Array {
    const kept: number[] = [];
    for (const byte of bytes) this.#step(byte, kept);
    return Uint8Array.from(kept);
  }

  #step(byte: number, kept: number[]): void {
    switch (this.#state) {
      case 'text':
        if (byte === ESCAPE) this.#state = 'escape';
        else if (byte >= 0x20 ? byte !== 0x7f : KEPT_CONTROLS.has(byte)) kept.push(byte);
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
