// Brings a terminal to any moment of a log: forward by writing what is missing, back from the nearest keyframe. A log of
// less than a megabyte has no keyframes: it is replayed from its beginning, and the screen is what the bytes say.
// A keyframe keeps the screen, what scrolled out of it and the modes; not tab stops, saved cursors and character sets.

import { EscapeState } from './escape-state.js';
import { gapText } from './gap-text.js';
import type { LogEntry, LogStore } from './log-store.js';

/** The part of an emulator that is needed; xterm's, with or without a screen. */
export interface Screen {
  write(data: string | Uint8Array, done?: () => void): void;
  reset(): void;
  resize(cols: number, rows: number): void;
  /** As text that brings another screen to the same state. */
  snapshot(): string;
}

interface Keyframe {
  readonly index: number;
  readonly data: string;
  readonly cols: number;
  readonly rows: number;
}

const KEYFRAME_BYTES = 256 * 1024;
const FIRST_KEYFRAME_BYTES = 1024 * 1024;
const MAX_KEYFRAMES = 64;
/** Of the time that passes, keyframes may take one part in so many: of a full terminal one takes a tenth of a second. */
const KEYFRAME_TIME_SHARE = 20;
/** What is written before the player looks again whether the user wants something else. */
const SLICE_BYTES = 512 * 1024;

export class Player {
  readonly #log: LogStore;
  readonly #screen: Screen;
  #keyframes: Keyframe[] = [];
  /** Everything before this entry is on the screen. */
  #at: number;
  #wanted: number;
  #state = new EscapeState();
  readonly #firstSize: { readonly cols: number; readonly rows: number };
  #size: { readonly cols: number; readonly rows: number };
  #bytesSinceKeyframe = 0;
  #bytesFromStart = 0;
  #nextKeyframeAt = 0;
  #running: Promise<void> | undefined;

  constructor(log: LogStore, screen: Screen, size: { readonly cols: number; readonly rows: number }) {
    this.#log = log;
    this.#screen = screen;
    this.#at = log.firstIndex;
    this.#wanted = this.#at;
    this.#firstSize = size;
    this.#size = size;
    screen.resize(size.cols, size.rows);
  }

  /** Where the screen is: the number of entries of the log that it shows. */
  get at(): number {
    return this.#at;
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return this.#size;
  }

  /** Resolves when the screen shows this moment, or one that was asked for later. */
  show(index: number): Promise<void> {
    this.#wanted = Math.max(this.#log.firstIndex, Math.min(index, this.#log.endIndex));
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    while (this.#at !== this.#wanted) {
      if (this.#wanted < this.#at || this.#at < this.#log.firstIndex) await this.#rewind();
      if (this.#at < this.#wanted) await this.#forward();
    }
  }

  async #rewind(): Promise<void> {
    const { firstIndex } = this.#log;
    this.#keyframes = this.#keyframes.filter(({ index }) => index >= firstIndex);
    const keyframe = this.#keyframes.findLast(({ index }) => index <= this.#wanted);
    this.#screen.reset();
    this.#state = new EscapeState();
    this.#bytesSinceKeyframe = 0;
    if (keyframe === undefined) {
      this.#at = firstIndex;
      this.#bytesFromStart = 0;
      this.#resize(this.#firstSize.cols, this.#firstSize.rows);
      const { dropped } = this.#log;
      if (dropped !== undefined) await this.#write(gapText(dropped));
      return;
    }
    this.#resize(keyframe.cols, keyframe.rows);
    await this.#write(keyframe.data);
    this.#at = keyframe.index;
  }

  async #forward(): Promise<void> {
    let written = 0;
    let last: Promise<void> | undefined;
    while (this.#at < this.#wanted && written < SLICE_BYTES) {
      const entry = this.#log.at(this.#at);
      if (entry === undefined) break;
      // A resize takes effect at once, what was written before it later: it has to wait.
      if (entry.kind === 'resize') await last;
      this.#at++;
      const pending = this.#apply(entry);
      if (pending !== undefined) last = pending;
      if (entry.kind === 'output') written += entry.bytes.length;
    }
    await last;
    this.#maybeKeyframe();
  }

  #apply(entry: LogEntry): Promise<void> | undefined {
    switch (entry.kind) {
      case 'output':
        this.#state.feed(entry.bytes);
        this.#bytesSinceKeyframe += entry.bytes.length;
        this.#bytesFromStart += entry.bytes.length;
        return this.#write(entry.stream === 'pty' ? entry.bytes : withCarriageReturns(entry.bytes));
      case 'resize':
        this.#resize(entry.cols, entry.rows);
        return undefined;
      case 'gap':
        this.#state = new EscapeState();
        return this.#write(gapText(entry));
      case 'exited':
      case 'closed':
        return undefined;
    }
  }

  #maybeKeyframe(): void {
    if (this.#bytesFromStart < FIRST_KEYFRAME_BYTES || this.#bytesSinceKeyframe < KEYFRAME_BYTES) return;
    const begin = performance.now();
    if (!this.#state.isBetween || begin < this.#nextKeyframeAt) return;
    this.#bytesSinceKeyframe = 0;
    const newest = this.#keyframes.at(-1);
    if (newest !== undefined && newest.index >= this.#at) return;
    this.#keyframes.push({ index: this.#at, data: this.#screen.snapshot(), ...this.#size });
    const end = performance.now();
    this.#nextKeyframeAt = end + (end - begin) * KEYFRAME_TIME_SHARE;
    if (this.#keyframes.length > MAX_KEYFRAMES)
      this.#keyframes = this.#keyframes.filter((_, at) => at % 2 === 1);
  }

  #resize(cols: number, rows: number): void {
    if (cols === this.#size.cols && rows === this.#size.rows) return;
    this.#size = { cols, rows };
    this.#screen.resize(cols, rows);
  }

  #write(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#screen.write(data, resolve));
  }
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
