// Writes records for the broker: little-endian numbers, strings with their length before and a NUL after them.
import { EscalationError } from '../escalation-error.js';

export class RecordWriter {
  readonly #parts: Buffer[] = [];

  u32(value: number): void {
    const part = Buffer.allocUnsafe(4);
    part.writeUInt32LE(value);
    this.#parts.push(part);
  }

  string(text: string): void {
    const bytes = Buffer.from(text);
    if (bytes.includes(0)) throw new EscalationError('BAD_RECORD', 'a text for the broker has a NUL in it');
    this.u32(bytes.length);
    this.#parts.push(bytes, Buffer.of(0));
  }

  strings(texts: readonly string[]): void {
    this.u32(texts.length);
    for (const text of texts) this.string(text);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
