// Shows the progress of a copy: one line that is redrawn on a terminal, a single line at the end elsewhere.

import { visibleText } from '@codex/exec-protocol';
import { byteSize } from './byte-size.js';

export interface ProgressState {
  readonly name: string;
  readonly bytes: number;
  /** Undefined until it is known. */
  readonly totalBytes: number | undefined;
  readonly files: number;
  /** Undefined until it is known, and for a single file. */
  readonly totalFiles?: number | undefined;
  readonly elapsedMs: number;
}

const BAR_WIDTH = 24;
/** Beside a count. */
const SHORT_BAR_WIDTH = 12;
const DRAW_EVERY_MS = 100;

export function drawProgress(state: ProgressState, columns: number): string {
  const { name, bytes, totalBytes, elapsedMs } = state;
  const rate = `${byteSize(elapsedMs > 0 ? (bytes * 1000) / elapsedMs : 0)}/s`;
  const count = countOf(state);
  if (totalBytes === undefined) return fit(name, `${count}${byteSize(bytes)}  ${rate}`, columns);
  const share = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
  const bar = barOf(share, count === '' ? BAR_WIDTH : SHORT_BAR_WIDTH);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const sizes = `${byteSize(bytes)} of ${byteSize(totalBytes)}`;
  return fit(name, `${count}${bar} ${percent}  ${sizes}  ${rate}`, columns);
}

function countOf({ files, totalFiles }: ProgressState): string {
  if (totalFiles !== undefined && totalFiles > 1) return `${files} of ${totalFiles}  `;
  return files > 1 ? `${files} files  ` : '';
}

function barOf(share: number, width: number): string {
  const filled = Math.round(share * width);
  return `[${'='.repeat(filled)}${' '.repeat(width - filled)}]`;
}

export function copiedSentence({ bytes, files, elapsedMs }: ProgressState): string {
  const count = files === 1 ? '1 file' : `${files} files`;
  return `copied ${count}, ${byteSize(bytes)} in ${(elapsedMs / 1000).toFixed(1)} s`;
}

/** The end is worth more than the beginning of a name; a line never wraps. */
function fit(name: string, rest: string, columns: number): string {
  const room = columns - rest.length - 3;
  if (room < 8) return rest.slice(0, Math.max(0, columns - 1));
  // Names come from a disk or a server: they must not move the cursor.
  const plain = visibleText(name);
  const shown = plain.length <= room ? plain : `…${plain.slice(1 - room)}`;
  return `${shown}  ${rest}`;
}

export class ProgressLine {
  readonly #startedAt = performance.now();
  readonly #stream: NodeJS.WriteStream;
  readonly #draws: boolean;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #name = '';
  #bytes = 0;
  #totalBytes: number | undefined;
  #files = 0;
  #totalFiles: number | undefined;

  constructor(stream: NodeJS.WriteStream, { quiet }: { readonly quiet: boolean }) {
    this.#stream = stream;
    this.#draws = stream.isTTY && !quiet;
  }

  total(bytes: number): void {
    this.#totalBytes = (this.#totalBytes ?? 0) + bytes;
  }

  totalFiles(count: number): void {
    this.#totalFiles = count;
  }

  file(name: string, count = 1): void {
    this.#name = name;
    this.#files += count;
    this.#draw();
  }

  bytes(count: number): void {
    this.#bytes += count;
    this.#draw();
  }

  /** Takes the line away and says what was done. */
  done(): string {
    this.clear();
    return copiedSentence(this.#state);
  }

  get summary(): { readonly files: number; readonly bytes: number; readonly elapsedMs: number } {
    return { files: this.#files, bytes: this.#bytes, elapsedMs: Math.round(this.#state.elapsedMs) };
  }

  clear(): void {
    if (this.#draws) this.#stream.write('\r\x1b[K');
  }

  get #state(): ProgressState {
    return {
      name: this.#name,
      bytes: this.#bytes,
      totalBytes: this.#totalBytes,
      files: this.#files,
      totalFiles: this.#totalFiles,
      elapsedMs: performance.now() - this.#startedAt,
    };
  }

  #draw(): void {
    if (!this.#draws || performance.now() - this.#drawnAt < DRAW_EVERY_MS) return;
    this.#drawnAt = performance.now();
    this.#stream.write(`\r${drawProgress(this.#state, this.#stream.columns)}\x1b[K`);
  }
}
