// The memory that output is read into: a slab that is given away piece by piece, or one buffer that is read into again.
import type { OutputOptions } from '../launched-process.js';
import { ReadSlab } from './read-slab.js';

export interface ReadMemory {
  /** Where the next read goes, or what says so before each one. */
  readonly target: Buffer | (() => Buffer);
  /** Gives out the first `length` bytes of the room. */
  take(length: number): Buffer;
}

/** As much as a pipe holds. One for all processes: what is read is looked at before anything else is read. */
const SHARED = Buffer.allocUnsafeSlow(64 * 1024);

const TRANSIENT: ReadMemory = {
  target: SHARED,
  take: (length) => SHARED.subarray(0, length),
};

export function readMemory({ transient = false }: OutputOptions = {}): ReadMemory {
  if (transient) return TRANSIENT;
  const slab = new ReadSlab();
  return { target: () => slab.room(), take: (length) => slab.take(length) };
}
