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

/** All parts are read into the same memory: each is used up before the next is wanted. */
let memory = Buffer.alloc(0);

export class Archive {
  readonly #descriptor: number;
  readonly #begin: number;
  readonly #index: Index;

  private constructor(descriptor: number, begin: number, index: Index) {
    this.#descriptor = descriptor;
    this.#begin = begin;
    this.#index = index;
  }

  /** Undefined for what is no archive, or a part of one. The descriptor stays the caller's. */
  static read(descriptor: number): Archive | undefined {
    const length = take(descriptor, 0, LENGTH_BYTES)?.readUInt32LE(0) ?? 0;
    const { size } = fstatSync(descriptor);
    if (length > size) return undefined;
    const text = take(descriptor, LENGTH_BYTES, length);
    try {
      const index = JSON.parse(text?.toString('latin1') ?? '') as Index;
      const begin = aligned(LENGTH_BYTES + length);
      const isWhole = Object.values(index.parts).every(([offset, bytes]) => begin + offset + bytes <= size);
      return isWhole ? new Archive(descriptor, begin, index) : undefined;
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

  /** In memory that the next reading of any archive overwrites. Undefined where there is none of that name. */
  part(name: string): Buffer | undefined {
    if (!Object.hasOwn(this.#index.parts, name)) return undefined;
    const [offset, length] = this.#index.parts[name] ?? [0, 0];
    return take(this.#descriptor, this.#begin + offset, length);
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

/** The memory goes when nothing has been read for a while; the next reading takes new. */
export function releaseMemory(): void {
  memory = Buffer.alloc(0);
}

function take(descriptor: number, position: number, length: number): Buffer | undefined {
  if (memory.length < length) memory = Buffer.allocUnsafeSlow(Math.max(length, 64 * 1024));
  return readSync(descriptor, memory, 0, length, position) === length
    ? memory.subarray(0, length)
    : undefined;
}

const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;
