// The output as plain lines with their numbers and times: what a log viewer shows. Sequences are taken out, what is left of
// controls is spelled out. A carriage return begins the line anew, as a progress bar means it to.

import { safeText } from '../text/safe-text.js';
import { gapSentence } from './gap-text.js';
import type { LogEntry, LogStore } from './log-store.js';

export interface Line {
  readonly seq: number;
  readonly atMs: number;
  readonly stream: 'stdout' | 'stderr' | 'pty' | 'gap' | 'end';
  readonly text: string;
}

const MAX_LINES = 20_000;
const MAX_LINE_LENGTH = 4000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is taken out.
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;

export class LineReader {
  readonly #log: LogStore;
  #lines: Line[] = [];
  #at: number;
  #dropped = 0;
  readonly #partial = new Map<string, { text: string; seq: number; atMs: number }>();
  readonly #decoders = new Map<string, TextDecoder>();

  constructor(log: LogStore) {
    this.#log = log;
    this.#at = log.firstIndex;
  }

  /** How many of the oldest lines are not held any more. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Reads what is new. The result is a new array when anything changed. */
  read(): readonly Line[] {
    const end = this.#log.endIndex;
    if (this.#at === end) return this.#lines;
    const lines = [...this.#lines];
    for (const entry of this.#log.range(this.#at, end)) this.#take(entry, lines);
    this.#at = end;
    const excess = lines.length - MAX_LINES;
    if (excess > 0) this.#dropped += excess;
    this.#lines = excess > 0 ? lines.slice(excess) : lines;
    return this.#lines;
  }

  /** Lines that are not ended yet, by stream. */
  open(): readonly Line[] {
    return [...this.#partial].flatMap(([stream, { text, seq, atMs }]) =>
      text === '' ? [] : [{ seq, atMs, stream: stream as Line['stream'], text: plain(text) }],
    );
  }

  #take(entry: LogEntry, lines: Line[]): void {
    switch (entry.kind) {
      case 'output':
        this.#output(entry, lines);
        break;
      case 'gap':
        lines.push({
          seq: entry.seq,
          atMs: lines.at(-1)?.atMs ?? 0,
          stream: 'gap',
          text: gapSentence(entry),
        });
        break;
      case 'exited':
        lines.push(...this.open());
        this.#partial.clear();
        lines.push({ ...entry, stream: 'end', text: `exited with ${entry.exitCode}` });
        break;
      case 'resize':
      case 'closed':
        break;
    }
  }

  #output(entry: Extract<LogEntry, { kind: 'output' }>, lines: Line[]): void {
    const { stream, seq, atMs } = entry;
    const decoder = this.#decoders.get(stream) ?? new TextDecoder();
    this.#decoders.set(stream, decoder);
    const open = this.#partial.get(stream) ?? { text: '', seq, atMs };
    const pieces = (open.text + decoder.decode(entry.bytes, { stream: true })).split('\n');
    const rest = pieces.pop() ?? '';
    for (const [index, text] of pieces.entries())
      lines.push({
        seq: index === 0 ? open.seq : seq,
        atMs: index === 0 ? open.atMs : atMs,
        stream,
        text: plain(text),
      });
    const isNew = pieces.length > 0 || open.text === '';
    this.#partial.set(stream, {
      text: rest.slice(-MAX_LINE_LENGTH * 4),
      seq: isNew ? seq : open.seq,
      atMs: isNew ? atMs : open.atMs,
    });
  }
}

function plain(text: string): string {
  const visible = text.replace(SEQUENCES, '').replace(/\r+$/, '');
  const line = safeText(visible.slice(visible.lastIndexOf('\r') + 1));
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)} …` : line;
}
