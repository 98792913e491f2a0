// Brings a terminal to any moment of a log: forward by writing what is missing, back from a keyframe. A log of less than a
// megabyte has no keyframes: it is replayed from its beginning, and the screen is what the bytes say.
// A keyframe keeps the screen and the modes; not tab stops, saved cursors and character sets. What had scrolled out of the screen
// would take a tenth of a second to keep, in which the page does nothing else: so the keyframe that is gone back to is one that
// stands a megabyte before the moment, and what has scrolled since then is written again.

import { withCarriageReturns } from '@codex/exec-protocol';
import { EscapeState } from './escape-state.js';
import { gapText } from './gap-text.js';
import type { LogEntry, LogStore } from './log-store.js';

/** The part of an emulator that is needed; xterm's, with or without a screen. */
export interface Screen {
  write(data: string | Uint8Array, done?: () => void): void;
  reset(): void;
  resize(cols: number, rows: number): void;
  /** As text that brings another screen to the same state, without what has scrolled out of it. */
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
/** Written again before the moment that is gone back to, so that one can scroll up there. */
const HISTORY_BYTES = 1024 * 1024;
/** What is written before the player looks again whether the user wants something else. */
const SLICE_BYTES = 128 * 1024;
/** The emulator looks at the clock between two writes only: output that is slow to draw must not hold it for long. */
const WRITE_BYTES = 16 * 1024;

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
    const before = this.#beforeHistory(this.#wanted);
    const keyframe = this.#keyframes.findLast(({ index }) => index <= before);
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

  /** The newest entry with that much output between it and the moment. */
  #beforeHistory(index: number): number {
    let bytes = 0;
    let at = index;
    for (; at > this.#log.firstIndex && bytes < HISTORY_BYTES; at--) {
      const entry = this.#log.at(at - 1);
      if (entry?.kind === 'output') bytes += entry.bytes.length;
    }
    return at;
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
    if (!this.#state.isBetween) return;
    this.#bytesSinceKeyframe = 0;
    const newest = this.#keyframes.at(-1);
    if (newest !== undefined && newest.index >= this.#at) return;
    this.#keyframes.push({ index: this.#at, data: this.#screen.snapshot(), ...this.#size });
    if (this.#keyframes.length > MAX_KEYFRAMES)
      this.#keyframes = this.#keyframes.filter((_, at) => at % 2 === 1);
  }

  #resize(cols: number, rows: number): void {
    if (cols === this.#size.cols && rows === this.#size.rows) return;
    this.#size = { cols, rows };
    this.#screen.resize(cols, rows);
  }

  #write(data: string | Uint8Array): Promise<void> {
    let rest = data;
    for (; typeof rest !== 'string' && rest.length > WRITE_BYTES; rest = rest.subarray(WRITE_BYTES))
      this.#screen.write(rest.subarray(0, WRITE_BYTES));
    const last = rest;
    return new Promise((resolve) => this.#screen.write(last, resolve));
  }
}
