// A file of named parts: the length of the index, the index as JSON, then the parts one after the other. What the program
// consists of is one such file, and what V8 made of it another.
import { Buffer } from 'node:buffer';
import { fstatSync, readSync } from 'node:fs';

interface Index {
  /** What the writer says of the whole. */
  readonly about: unknown;
  readonly parts: Readonly<Record<string, readonly [offset: number, length: number]>>;
}

const LENGTH_BYTES = 4;
/** V8 reads words where they are. */
const ALIGNMENT = 8;

/** What a start needs lies together, and each call of `readSync` costs more than reading this much. */
const READ_AHEAD = 128 * 1024;

export class Archive {
  readonly #bytes: ReadAhead;
  readonly #begin: number;
  readonly #index: Index;

  private constructor(bytes: ReadAhead, begin: number, index: Index) {
    this.#bytes = bytes;
    this.#begin = begin;
    this.#index = index;
  }

  /** Undefined for what is no archive, or a part of one. The descriptor stays the caller's. */
  static read(descriptor: number): Archive | undefined {
    const bytes = new ReadAhead(descriptor);
    const length = bytes.take(0, LENGTH_BYTES)?.readUInt32LE(0) ?? 0;
    const { size } = fstatSync(descriptor);
    if (length > size) return undefined;
    const text = bytes.take(LENGTH_BYTES, length);
    try {
      const index = JSON.parse(text?.toString('latin1') ?? '') as Index;
      const begin = aligned(LENGTH_BYTES + length);
      const isWhole = Object.values(index.parts).every(([offset, bytes]) => begin + offset + bytes <= size);
      return isWhole ? new Archive(bytes, begin, index) : undefined;
    } catch {
      return undefined;
    }
  }

  get about(): unknown {
    return this.#index.about;
  }

  get names(): string[] {
    return Object.keys(this.#index.parts);
  }

  /** In memory that the next reading overwrites. Undefined where there is none of that name. */
  part(name: string): Buffer | undefined {
    if (!Object.hasOwn(this.#index.parts, name)) return undefined;
    const [offset, length] = this.#index.parts[name] ?? [0, 0];
    return this.#bytes.take(this.#begin + offset, length);
  }

  /** What was read ahead goes, and from here on each part is read alone: little is read after the start. */
  releaseMemory(): void {
    this.#bytes.release();
  }
}

export function encodeArchive(about: unknown, parts: ReadonlyMap<string, Buffer>): Buffer {
  const places: Record<string, readonly [number, number]> = {};
  const blocks: Buffer[] = [];
  let offset = 0;
  for (const [name, data] of parts) {
    places[name] = [offset, data.length];
    const padding = aligned(data.length) - data.length;
    blocks.push(data, Buffer.alloc(padding));
    offset += data.length + padding;
  }
  const text = Buffer.from(JSON.stringify({ about, parts: places } satisfies Index), 'latin1');
  const head = Buffer.alloc(aligned(LENGTH_BYTES + text.length), ' ');
  head.writeUInt32LE(text.length, 0);
  text.copy(head, LENGTH_BYTES);
  return Buffer.concat([head, ...blocks]);
}

/** Reads more than it is asked for, into the same memory each time: each part is used up before the next is wanted. */
class ReadAhead {
  readonly #descriptor: number;
  #memory = Buffer.alloc(0);
  /** What of the file the memory has. */
  #begin = 0;
  #end = 0;
  #ahead = READ_AHEAD;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  take(position: number, length: number): Buffer | undefined {
    if (position < this.#begin || position + length > this.#end) this.#read(position, length);
    const offset = position - this.#begin;
    return position + length > this.#end ? undefined : this.#memory.subarray(offset, offset + length);
  }

  release(): void {
    this.#ahead = 0;
    this.#memory = Buffer.alloc(0);
    this.#end = this.#begin;
  }

  #read(position: number, length: number): void {
    this.#begin = position - (position % ALIGNMENT);
    const wanted = Math.max(position + length - this.#begin, this.#ahead);
    // Without reading ahead nothing is kept for the next part.
    if (this.#memory.length < wanted || this.#ahead === 0) this.#memory = Buffer.allocUnsafeSlow(wanted);
    this.#end = this.#begin + readSync(this.#descriptor, this.#memory, 0, wanted, this.#begin);
  }
}

const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;
