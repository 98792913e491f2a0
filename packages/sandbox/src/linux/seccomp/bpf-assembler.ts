// A classic BPF assembler with forward labels, for seccomp programs. Knows nothing about system calls.

/** Offsets into `struct seccomp_data`: nr, arch, and the low half of each 64-bit argument (little endian). */
export const seccompField = {
  number: 0,
  architecture: 4,
  argumentLow: (index: number): number => 16 + 8 * index,
} as const;

export const seccompReturn = {
  allow: 0x7fff0000,
  killProcess: 0x80000000,
  errno: (value: number): number => 0x00050000 | value,
} as const;

const opcode = {
  loadWord: 0x20,
  jumpEqual: 0x15,
  jumpGreaterEqual: 0x35,
  jumpSet: 0x45,
  and: 0x54,
  return: 0x06,
} as const;

type Line =
  | { readonly kind: 'plain'; readonly code: number; readonly value: number }
  | {
      readonly kind: 'jump';
      readonly code: number;
      readonly value: number;
      readonly match?: string;
      readonly miss?: string;
    };

export class BpfAssembler {
  readonly #lines: Line[] = [];
  readonly #labels = new Map<string, number>();

  load(offset: number): this {
    return this.#plain(opcode.loadWord, offset);
  }

  and(mask: number): this {
    return this.#plain(opcode.and, mask);
  }

  return(action: number): this {
    return this.#plain(opcode.return, action);
  }

  jumpIfEqual(value: number, target: { match?: string; miss?: string }): this {
    return this.#jump(opcode.jumpEqual, value, target);
  }

  jumpIfAtLeast(value: number, target: { match?: string; miss?: string }): this {
    return this.#jump(opcode.jumpGreaterEqual, value, target);
  }

  jumpIfAnyBit(mask: number, target: { match?: string; miss?: string }): this {
    return this.#jump(opcode.jumpSet, mask, target);
  }

  label(name: string): this {
    this.#labels.set(name, this.#lines.length);
    return this;
  }

  /** An array of `struct sock_filter`, little endian. */
  assemble(): Uint8Array {
    const bytes = new Uint8Array(this.#lines.length * 8);
    const view = new DataView(bytes.buffer);
    this.#lines.forEach((line, index) => {
      view.setUint16(index * 8, line.code, true);
      if (line.kind === 'jump') {
        view.setUint8(index * 8 + 2, this.#distance(index, line.match));
        view.setUint8(index * 8 + 3, this.#distance(index, line.miss));
      }
      view.setUint32(index * 8 + 4, line.value, true);
    });
    return bytes;
  }

  #plain(code: number, value: number): this {
    this.#lines.push({ kind: 'plain', code, value });
    return this;
  }

  #jump(code: number, value: number, target: { match?: string; miss?: string }): this {
    this.#lines.push({ kind: 'jump', code, value, ...target });
    return this;
  }

  /** Conditional jumps carry one byte; a rule set that needs more is a mistake in this package, not of its caller. */
  #distance(from: number, label: string | undefined): number {
    if (label === undefined) return 0;
    const to = this.#labels.get(label);
    const distance = to === undefined ? -1 : to - from - 1;
    if (distance < 0 || distance > 255)
      throw new RangeError(`BPF label ${label} cannot be reached from line ${from}`);
    return distance;
  }
}
