// The output of one stream as a part of a JSON report, instead of passed on: its beginning, and how much more there was.

import type { OutputSink } from './output-pump.js';

/** A report is for a script that reads it whole; what is larger is passed on as it comes, without --json. */
const KEPT_BYTES = 16 * 1024 * 1024;

export class OutputRecord implements OutputSink {
  readonly #blocks: Uint8Array[] = [];
  #kept = 0;
  #written = 0;

  get bytesWritten(): number {
    return this.#written;
  }

  get omittedBytes(): number {
    return this.#written - this.#kept;
  }

  write(bytes: Uint8Array): Promise<void> {
    const kept = bytes.slice(0, Math.max(0, KEPT_BYTES - this.#kept));
    if (kept.length > 0) this.#blocks.push(kept);
    this.#kept += kept.length;
    this.#written += bytes.length;
    return Promise.resolve();
  }

  /** `name` is the text; `nameBase64` stands beside it where the bytes are no UTF-8. */
  report(name: 'stdout' | 'stderr'): Record<string, string> {
    const bytes = Buffer.concat(this.#blocks);
    const text = bytes.toString('utf8');
    const isText = Buffer.from(text).equals(bytes);
    return isText ? { [name]: text } : { [name]: text, [`${name}Base64`]: bytes.toString('base64') };
  }
}
