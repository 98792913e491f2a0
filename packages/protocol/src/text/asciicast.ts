// Asciicast, version 3: what a terminal showed as lines of JSON, each with the seconds since the one before. The format of
// recordings: a header, then output, sizes, markers and the exit, in order.
import { runtime } from '../runtime.js';

export interface CastHeader {
  readonly cols: number;
  readonly rows: number;
  readonly startedAtMs: number;
  readonly title: string;
}

/** Every method returns the line that stands for it. */
export class AsciicastWriter {
  readonly header: string;
  #lastMs: number;
  /** A character may be split between two blocks: each stream has a decoder that remembers. */
  readonly #decoders = new Map<string, ReturnType<typeof newDecoder>>();

  constructor({ cols, rows, startedAtMs, title }: CastHeader) {
    this.#lastMs = startedAtMs;
    const timestamp = Math.floor(startedAtMs / 1000);
    this.header = `${JSON.stringify({ version: 3, term: { cols, rows }, timestamp, title })}\n`;
  }

  output(atMs: number, stream: 'stdout' | 'stderr' | 'pty', bytes: Uint8Array): string {
    const decoder = this.#decoders.get(stream) ?? newDecoder();
    this.#decoders.set(stream, decoder);
    const shown = stream === 'pty' ? bytes : withCarriageReturns(bytes);
    return this.#line(atMs, 'o', decoder.decode(shown, { stream: true }));
  }

  resize(atMs: number, cols: number, rows: number): string {
    return this.#line(atMs, 'r', `${cols}x${rows}`);
  }

  /** Something that is no output, where it happened: for players a mark to jump to. */
  marker(text: string): string {
    return this.#line(this.#lastMs, 'm', text);
  }

  exit(atMs: number, exitCode: number): string {
    return this.#line(atMs, 'x', String(exitCode));
  }

  #line(atMs: number, code: string, data: string): string {
    const interval = Math.max(0, atMs - this.#lastMs) / 1000;
    this.#lastMs = Math.max(this.#lastMs, atMs);
    return `${JSON.stringify([interval, code, data])}\n`;
  }
}

function newDecoder() {
  return new runtime.TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
}

const LF = 0x0a;
const CR = 0x0d;

/** A pipe has bare line feeds, which a terminal takes for "down" only. */
export function withCarriageReturns(bytes: Uint8Array): Uint8Array {
  let bare = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF && bytes[at - 1] !== CR) bare++;
  if (bare === 0) return bytes;
  const result = new Uint8Array(bytes.length + bare);
  let to = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF && bytes[at - 1] !== CR) result[to++] = CR;
    result[to++] = bytes[at] ?? 0;
  }
  return result;
}
