// Brings a terminal to any moment of a log: forward by writing what is missing, back from a keyframe. A log of less than a
// megabyte has no keyframes: it is replayed from its beginning, and the screen is what the bytes say.
// A keyframe keeps the screen and the modes; not tab stops, saved cursors and character sets. What had scrolled out of the screen
// would take a tenth of a second to keep, in which the page does nothing else: so the keyframe that is gone back to is one that
// stands a megabyte before the moment, and what has scrolled since then is written again.

import { withCarriageReturns } from '@codex/exec-protocol';
import { gapText } from './gap-text.js';
import type { LogEntry, LogStore } from './log-store.js';
import { OutputPieces, PIECE_COST } from './output-pieces.js';

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
/** What is drawn before the player looks again whether the user wants something else. */
const SLICE_COST = 8 * PIECE_COST;
/** Every line that is held is wrapped anew. */
const RESIZE_COST = PIECE_COST;
/** An owner may ask for more; a screen of that many cells is none, and would take all memory of the page. */
const [MAX_COLS, MAX_ROWS] = [1000, 500];

export class Player {
  readonly #log: LogStore;
  readonly #screen: Screen;
  #keyframes: Keyframe[] = [];
  /** Everything before this entry is on the screen. */
  #at: number;
  #wanted: number;
  /** Part of the entry at `#at` is on the screen. */
  #isTorn = false;
  readonly #pieces: OutputPieces;
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
    this.#firstSize = bounded(size);
    this.#size = this.#firstSize;
    this.#pieces = new OutputPieces(this.#size);
    screen.resize(this.#size.cols, this.#size.rows);
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
    while (this.#isTorn || this.#at !== this.#wanted) {
      if (this.#isTorn || this.#wanted < this.#at || this.#at < this.#log.firstIndex) await this.#rewind();
      if (this.#at < this.#wanted) await this.#forward();
    }
  }

  async #rewind(): Promise<void> {
    this.#isTorn = false;
    const { firstIndex } = this.#log;
    this.#keyframes = this.#keyframes.filter(({ index }) => index >= firstIndex);
    const before = this.#beforeHistory(this.#wanted);
    const keyframe = this.#keyframes.findLast(({ index }) => index <= before);
    this.#screen.reset();
    this.#pieces.reset();
    this.#bytesSinceKeyframe = 0;
    if (keyframe === undefined) {
      this.#at = firstIndex;
      this.#bytesFromStart = 0;
      this.#resize(this.#firstSize);
      const { dropped } = this.#log;
      if (dropped !== undefined) await this.#write(gapText(dropped));
      return;
    }
    this.#resize(keyframe);
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

  /** Until a slice is drawn, what is wanted is reached, or something before it is wanted. */
  async #forward(): Promise<void> {
    let cost = 0;
    let last: Promise<void> | undefined;
    while (this.#at < this.#wanted && cost < SLICE_COST) {
      const entry = this.#log.at(this.#at);
      if (entry === undefined) break;
      // A resize takes effect at once, what was written before it later: it has to wait.
      if (entry.kind === 'resize') {
        await last;
        cost += this.#resize(entry);
      } else if (entry.kind === 'gap') {
        this.#pieces.reset();
        last = this.#write(gapText(entry));
      } else if (entry.kind === 'output') {
        for (const piece of this.#piecesOf(entry)) {
          if (cost >= SLICE_COST) {
            await last;
            // The rest of a block that is slow to draw is of no use to who has gone back.
            if (this.#wanted <= this.#at) {
              this.#isTorn = true;
              return;
            }
            cost = 0;
          }
          last = this.#write(piece.bytes);
          cost += piece.cost;
        }
      }
      this.#at++;
    }
    await (last ?? this.#write(''));
    this.#maybeKeyframe();
  }

  #piecesOf({ bytes, stream }: Extract<LogEntry, { kind: 'output' }>): ReturnType<OutputPieces['cut']> {
    this.#bytesSinceKeyframe += bytes.length;
    this.#bytesFromStart += bytes.length;
    return this.#pieces.cut(stream === 'pty' ? bytes : withCarriageReturns(bytes));
  }

  #maybeKeyframe(): void {
    if (this.#bytesFromStart < FIRST_KEYFRAME_BYTES || this.#bytesSinceKeyframe < KEYFRAME_BYTES) return;
    if (!this.#pieces.isBetween) return;
    this.#bytesSinceKeyframe = 0;
    const newest = this.#keyframes.at(-1);
    if (newest !== undefined && newest.index >= this.#at) return;
    this.#keyframes.push({ index: this.#at, data: this.#screen.snapshot(), ...this.#size });
    if (this.#keyframes.length > MAX_KEYFRAMES)
      this.#keyframes = this.#keyframes.filter((_, at) => at % 2 === 1);
  }

  /** What it costs. */
  #resize(wanted: { readonly cols: number; readonly rows: number }): number {
    const { cols, rows } = bounded(wanted);
    if (cols === this.#size.cols && rows === this.#size.rows) return 0;
    this.#size = { cols, rows };
    this.#pieces.size = this.#size;
    this.#screen.resize(cols, rows);
    return RESIZE_COST;
  }

  #write(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#screen.write(data, resolve));
  }
}

function bounded({ cols, rows }: { readonly cols: number; readonly rows: number }): {
  readonly cols: number;
  readonly rows: number;
} {
  return { cols: Math.min(cols, MAX_COLS), rows: Math.min(rows, MAX_ROWS) };
}
