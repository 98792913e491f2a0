// The reply of a walk while it grows: counted against the caller's entry limit and a budget of bytes.

import { Buffer } from 'node:buffer';
import { MAX_WALK_RESPONSE_BYTES, WALK_ITEM_OVERHEAD_BYTES } from '@codex/exec-protocol';
import type { WalkOutcome } from '../../file-system.js';
import { displayPath, type NativePath } from '../../native-path.js';

export class WalkReport {
  readonly #entries: { path: string; kind: 'directory' | 'file' }[] = [];
  readonly #errors: { path: string; message: string }[] = [];
  readonly #maxItems: number;
  readonly #format: (path: NativePath) => string;
  #bytes = 0;
  #isTruncated = false;

  constructor(options: { readonly maxEntries: number; readonly formatPath: (path: NativePath) => string }) {
    this.#maxItems = options.maxEntries;
    this.#format = options.formatPath;
  }

  /** False when the item did not fit; the report is truncated from then on. */
  addEntry(path: NativePath, kind: 'directory' | 'file'): boolean {
    const text = this.#format(path);
    if (!this.#fits(Buffer.byteLength(text))) return false;
    this.#entries.push({ path: text, kind });
    return true;
  }

  /** Errors count like entries. The path is shown lossily: it may be one that no text can name. */
  addError(path: NativePath, message: string): boolean {
    const text = this.#format(displayPath(path));
    if (!this.#fits(Buffer.byteLength(text) + Buffer.byteLength(message))) return false;
    this.#errors.push({ path: text, message });
    return true;
  }

  truncate(): void {
    this.#isTruncated = true;
  }

  outcome(): WalkOutcome {
    return { entries: this.#entries, errors: this.#errors, truncated: this.#isTruncated };
  }

  #fits(size: number): boolean {
    const bytes = this.#bytes + size + WALK_ITEM_OVERHEAD_BYTES;
    const isFull = this.#entries.length + this.#errors.length >= this.#maxItems;
    if (isFull || bytes > MAX_WALK_RESPONSE_BYTES) {
      this.#isTruncated = true;
      return false;
    }
    this.#bytes = bytes;
    return true;
  }
}
