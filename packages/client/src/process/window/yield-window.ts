// Collects output for a while and says where the process stands: until it exits, a deadline, a pattern, or a silence.
// Event-driven on the injected clock. Reading is not destructive: the next window goes on where this one ended.

import type { Timer } from '@codex/exec-protocol';
import { OutputCapture } from '../../captured.js';
import type { Captured, Outcome } from '../../result.js';
import type { LogReader } from '../events/event-log.js';
import { type Cursor, cursorAt, type OutputEvent } from '../events/process-event.js';
import type { ProcessFeed } from '../events/process-feed.js';
import { matchPattern } from '../output/pattern.js';
import type { PauseGate } from './pause-gate.js';

export interface YieldWindow {
  /** How long to collect while the process runs. */
  readonly ms: number;
  /** Ends the window when the output since its start matches. */
  readonly until?: string | RegExp;
  /** Ends the window after this long without output. */
  readonly idleMs?: number;
  /** After the exit: how long to wait for the rest of the output. Default 50. */
  readonly drainMs?: number;
  /** Bytes kept of what is collected: beginning and end. Default 1 MiB. */
  readonly maxBytes?: number;
  /** Where to start; default where the last window ended. */
  readonly from?: Cursor;
  /** While it is paused no time passes for this window; output is still collected. */
  readonly pause?: PauseGate;
  /** Ends the window, not the process. */
  readonly signal?: AbortSignal;
}

interface YieldBase {
  readonly output: Captured;
  readonly wallMs: number;
  readonly pausedMs: number;
  readonly cursor: Cursor;
  readonly match?: RegExpMatchArray;
}

export type YieldResult =
  | (YieldBase & { readonly state: 'running'; readonly endedBy: 'deadline' | 'until' | 'idle' | 'abort' })
  | (YieldBase & {
      readonly state: 'finished';
      readonly endedBy: 'exit' | 'until' | 'abort';
      readonly outcome: Outcome;
      readonly pipesHeldOpen: boolean;
    });

type EndedBy = 'deadline' | 'until' | 'idle' | 'abort' | 'exit';

const DRAIN_MS = 50;
const MAX_BYTES = 1024 * 1024;
/** How much text before the newest output a pattern may reach back. */
const PATTERN_REACH = 64 * 1024;

export function collectWindow(
  feed: ProcessFeed,
  reader: LogReader,
  window: YieldWindow,
): Promise<YieldResult> {
  return new Promise((resolve) => new WindowRun(feed, reader, { window, resolve }).begin());
}

class WindowRun {
  readonly #feed: ProcessFeed;
  readonly #reader: LogReader;
  readonly #window: YieldWindow;
  readonly #resolve: (result: YieldResult) => void;
  readonly #capture: OutputCapture;
  readonly #startedAt: number;
  readonly #stops: (() => void)[] = [];
  #pausedMs = 0;
  #pausedSince: number | undefined;
  #lastOutputAt: number;
  #drainUntil: number | undefined;
  #text = '';
  #match: RegExpMatchArray | undefined;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(
    feed: ProcessFeed,
    reader: LogReader,
    run: { window: YieldWindow; resolve: (result: YieldResult) => void },
  ) {
    this.#feed = feed;
    this.#reader = reader;
    this.#window = run.window;
    this.#resolve = run.resolve;
    this.#capture = new OutputCapture(run.window.maxBytes ?? MAX_BYTES);
    this.#startedAt = feed.clock.now();
    this.#lastOutputAt = this.#startedAt;
  }

  begin(): void {
    const { pause, signal } = this.#window;
    const step = (): void => this.#step();
    this.#stops.push(this.#feed.onChange(step));
    if (pause !== undefined) {
      if (pause.paused) this.#pausedSince = this.#startedAt;
      this.#stops.push(pause.onChange(() => this.#pauseChanged(pause.paused)));
    }
    if (signal !== undefined) {
      signal.addEventListener('abort', step, { once: true });
      this.#stops.push(() => signal.removeEventListener('abort', step));
    }
    this.#step();
  }

  // Both deadlines move by the time that was spent paused.
  #pauseChanged(paused: boolean): void {
    const now = this.#feed.clock.now();
    if (paused) this.#pausedSince ??= now;
    else if (this.#pausedSince !== undefined) {
      const spent = now - this.#pausedSince;
      this.#pausedMs += spent;
      this.#lastOutputAt += spent;
      if (this.#drainUntil !== undefined) this.#drainUntil += spent;
      this.#pausedSince = undefined;
    }
    this.#step();
  }

  #step(): void {
    if (this.#isOver) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#collect();
    const endedBy = this.#ending();
    if (endedBy !== undefined) this.#finish(endedBy);
    else this.#scheduleNext();
  }

  #collect(): void {
    for (let event = this.#reader.next(); event !== undefined; event = this.#reader.next()) {
      if (event.type === 'gap') this.#capture.gap(event.gap);
      if (event.type === 'output') this.#take(event);
      if (this.#match !== undefined) return;
    }
  }

  #take(event: OutputEvent): void {
    const { until } = this.#window;
    this.#capture.push(event.bytes);
    this.#lastOutputAt = this.#pausedSince ?? this.#feed.clock.now();
    if (until === undefined) return;
    this.#text = this.#text.slice(-PATTERN_REACH) + event.text;
    this.#match = matchPattern(this.#text, until);
  }

  #ending(): EndedBy | undefined {
    if (this.#match !== undefined) return 'until';
    if (this.#window.signal?.aborted === true) return 'abort';
    if (this.#feed.closed || this.#feed.lost !== undefined) return 'exit';
    if (this.#pausedSince !== undefined) return undefined;
    const now = this.#feed.clock.now();
    if (!this.#feed.isRunning) {
      const remaining = Math.max(0, this.#deadline() - now);
      this.#drainUntil ??= now + Math.min(remaining, this.#window.drainMs ?? DRAIN_MS);
      return now >= this.#drainUntil ? 'exit' : undefined;
    }
    if (now >= this.#deadline()) return 'deadline';
    return now >= this.#idleAt() ? 'idle' : undefined;
  }

  #scheduleNext(): void {
    if (this.#pausedSince !== undefined) return;
    const due = this.#drainUntil ?? Math.min(this.#deadline(), this.#idleAt());
    this.#timer = this.#feed.clock.schedule(Math.max(0, due - this.#feed.clock.now()), () => this.#step());
  }

  #deadline(): number {
    return this.#startedAt + this.#window.ms + this.#pausedMs;
  }

  #idleAt(): number {
    const { idleMs } = this.#window;
    return idleMs === undefined ? Number.POSITIVE_INFINITY : this.#lastOutputAt + idleMs;
  }

  #finish(endedBy: EndedBy): void {
    this.#isOver = true;
    for (const stop of this.#stops) stop();
    const now = this.#feed.clock.now();
    if (this.#pausedSince !== undefined) this.#pausedMs += now - this.#pausedSince;
    const base = {
      output: this.#capture.snapshot(),
      wallMs: now - this.#startedAt,
      pausedMs: this.#pausedMs,
      cursor: cursorAt(this.#reader.seq),
      ...(this.#match === undefined ? {} : { match: this.#match }),
    };
    this.#resolve(this.#result(base, endedBy));
  }

  #result(base: YieldBase, endedBy: EndedBy): YieldResult {
    const { outcome } = this.#feed;
    if (outcome === undefined) {
      return { ...base, state: 'running', endedBy: endedBy === 'exit' ? 'deadline' : endedBy };
    }
    const why = endedBy === 'deadline' || endedBy === 'idle' ? 'exit' : endedBy;
    return { ...base, state: 'finished', endedBy: why, outcome, pipesHeldOpen: !this.#feed.closed };
  }
}
