// Collected output of one view, with an exact account of what is not in it.

import { HeadTailBuffer } from './head-tail-buffer.js';
import { CUSTOM_INSPECT, type Inspect } from './inspect.js';
import type { Captured, CapturedJson, Gap } from './result.js';

/** Feeds a head-tail buffer and remembers gaps; `snapshot()` may be taken at any time. */
export class OutputCapture {
  readonly #buffer: HeadTailBuffer;
  readonly #gaps: Gap[] = [];

  constructor(maxBytes: number) {
    this.#buffer = new HeadTailBuffer(maxBytes);
  }

  get totalBytes(): number {
    return this.#buffer.totalBytes;
  }

  push(chunk: Uint8Array): void {
    this.#buffer.push(chunk);
  }

  gap(gap: Gap): void {
    this.#gaps.push(gap);
    this.#buffer.omit(gap.bytes ?? 0);
  }

  /** Takes what came since the last snapshot out of the capture. */
  drain(): Captured {
    return capturedFrom(this.#buffer.take(), this.#gaps.splice(0));
  }

  snapshot(): Captured {
    return capturedFrom(this.#buffer.clone(), [...this.#gaps]);
  }
}

export function capturedFrom(buffer: HeadTailBuffer, gaps: readonly Gap[]): Captured {
  return new CapturedOutput(buffer, gaps);
}

class CapturedOutput implements Captured {
  readonly #buffer: HeadTailBuffer;
  readonly gaps: readonly Gap[];
  readonly totalBytes: number;
  readonly omittedBytes: number;
  readonly complete: boolean;
  #bytes: Uint8Array | undefined;
  #text: string | undefined;

  constructor(buffer: HeadTailBuffer, gaps: readonly Gap[]) {
    this.#buffer = buffer;
    this.gaps = gaps;
    this.totalBytes = buffer.totalBytes;
    this.omittedBytes = buffer.omittedBytes;
    this.complete = buffer.omittedBytes === 0 && gaps.length === 0;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= this.#buffer.bytes();
    return this.#bytes;
  }

  get text(): string {
    this.#text ??= this.#decode();
    return this.#text;
  }

  get lines(): readonly string[] {
    const { text } = this;
    if (text === '') return [];
    const lines = text.split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    return lines;
  }

  toJSON(): CapturedJson {
    const { text, totalBytes, omittedBytes, gaps, complete } = this;
    return { text, totalBytes, omittedBytes, gaps, complete };
  }

  [CUSTOM_INSPECT](_depth: number, options: object, inspect: Inspect): string {
    const { text, totalBytes, omittedBytes, gaps, complete } = this;
    // What is not missing needs no words.
    return `Captured ${inspect(complete ? { text, totalBytes } : { text, totalBytes, omittedBytes, gaps }, options)}`;
  }

  #decode(): string {
    if (this.omittedBytes === 0) return decode(this.bytes, {});
    const { head, tail } = this.#buffer.parts();
    const before = decode(head, { cutEnd: true });
    const after = decode(tail.subarray(leadingContinuations(tail)), {});
    return `${before}\n... ${this.omittedBytes} bytes omitted ...\n${after}`;
  }
}

// A cut inside a character drops its remains, so that text never shows a replacement the command did not print.
function decode(bytes: Uint8Array, { cutEnd = false }: { cutEnd?: boolean }): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: cutEnd });
}

function leadingContinuations(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && count < bytes.length && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}
