// The form of the code cache: the length of the index, the index as JSON, then the compiled files one after the other.
import type { ChunkState } from './code-cache.js';

export interface IndexEntry extends ChunkState {
  readonly offset: number;
  readonly length: number;
}

export type Index = Readonly<Record<string, IndexEntry>>;

const LENGTH_BYTES = 4;
/** V8 reads words where they are. */
const ALIGNMENT = 8;

/** What is no cache, or a part of one, is an empty one. */
export function decodeIndex(content: Buffer): { readonly index: Index; readonly data: Buffer } {
  const nothing = { index: {}, data: Buffer.alloc(0) };
  if (content.length < LENGTH_BYTES) return nothing;
  const begin = LENGTH_BYTES + content.readUInt32LE(0);
  try {
    const index = JSON.parse(content.toString('latin1', LENGTH_BYTES, begin)) as Index;
    const data = content.subarray(aligned(begin));
    const isWhole = Object.values(index).every(({ offset, length }) => offset + length <= data.length);
    return isWhole ? { index, data } : nothing;
  } catch {
    return nothing;
  }
}

export function encodeIndex(parts: ReadonlyMap<string, ChunkState & { readonly data: Buffer }>): Buffer {
  const index: Record<string, IndexEntry> = {};
  const blocks: Buffer[] = [];
  let offset = 0;
  for (const [name, { size, mtimeMs, data }] of parts) {
    index[name] = { size, mtimeMs, offset, length: data.length };
    const padding = aligned(data.length) - data.length;
    blocks.push(data, Buffer.alloc(padding));
    offset += data.length + padding;
  }
  const text = Buffer.from(JSON.stringify(index), 'latin1');
  const head = Buffer.alloc(aligned(LENGTH_BYTES + text.length), ' ');
  head.writeUInt32LE(text.length, 0);
  text.copy(head, LENGTH_BYTES);
  return Buffer.concat([head, ...blocks]);
}

const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;
