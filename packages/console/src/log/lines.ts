// The output as plain lines with their numbers and times: what a log viewer shows. Sequences are taken out, what is left of
// controls is spelled out. A carriage return begins the line anew, as a progress bar means it to.
//
// A command may write more lines between two frames than are ever held: those are counted and not looked at, and of the others
// only what somebody sees is made fit to be shown.

import { safeText } from '../text/safe-text.js';
import { gapSentence } from './gap-text.js';
import type { LogEntry, LogStore } from './log-store.js';

export interface Line {
  readonly seq: number;
  readonly atMs: number;
  readonly stream: 'stdout' | 'stderr' | 'pty' | 'gap' | 'end';
  readonly text: string;
}

type OutputEntry = Extract<LogEntry, { kind: 'output' }>;

const MAX_LINES = 20_000;
/** Of all lines together, as they came: a command may write lines of any length. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_LINE_LENGTH = 4000;
/** Of a line that has not ended yet. */
const MAX_OPEN_LENGTH = 4 * MAX_LINE_LENGTH;
const LF = 0x0a;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is taken out.
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;

/** A line of output; its text is made when it is first asked for. */
class OutputLine implements Line {
  readonly stream: OutputEntry['stream'];
  readonly seq: number;
  readonly atMs: number;
  /** In characters, as it came. */
  readonly length: number;
  #raw: string | undefined;
  #text = '';

  constructor(raw: string, stream: OutputEntry['stream'], { seq, atMs }: Pick<Line, 'seq' | 'atMs'>) {
    this.stream = stream;
    this.seq = seq;
    this.atMs = atMs;
    this.length = raw.length;
    this.#raw = raw;
  }

  get text(): string {
    if (this.#raw !== undefined) {
      this.#text = plain(this.#raw);
      this.#raw = undefined;
    }
    return this.#text;
  }
}

interface OpenLine {
  readonly text: string;
  readonly seq: number;
  readonly atMs: number;
}

export class LineReader {
  readonly #log: LogStore;
  readonly #maxLines: number;
  #lines: Line[] = [];
  #at: number;
  #characters = 0;
  #dropped = 0;
  readonly #partial = new Map<OutputEntry['stream'], OpenLine>();
  readonly #decoders = new Map<string, TextDecoder>();
  /** Streams that were left in the midst of a line, whose rest is not the beginning of one. */
  readonly #broken = new Set<string>();

  constructor(log: LogStore, maxLines = MAX_LINES) {
    this.#log = log;
    this.#maxLines = maxLines;
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
    const from = this.#firstWorthReading(Math.max(this.#at, this.#log.firstIndex), end);
    if (from > this.#at) this.#skip(this.#at, from);
    const lines: Line[] = [];
    for (const entry of this.#log.range(from, end)) this.#take(entry, lines);
    this.#at = end;
    for (const line of lines) this.#characters += lengthOf(line);
    this.#lines = this.#trimmed(this.#lines.concat(lines));
    return this.#lines;
  }

  /** Without the oldest of them, where there are too many, or where they are too long; the newest stays. */
  #trimmed(lines: Line[]): Line[] {
    let excess = 0;
    for (; excess < lines.length - 1; excess++) {
      const oldest = lines[excess];
      const isTooMuch = lines.length - excess > this.#maxLines || this.#characters > MAX_CHARACTERS;
      if (!isTooMuch || oldest === undefined) break;
      this.#characters -= lengthOf(oldest);
    }
    this.#dropped += excess;
    return excess === 0 ? lines : lines.slice(excess);
  }

  /** Lines that are not ended yet, by stream. */
  open(): readonly Line[] {
    return [...this.#partial].flatMap(([stream, open]) =>
      open.text === '' ? [] : [new OutputLine(open.text, stream, open)],
    );
  }

  /** The newest entry from which on there are as many lines as are held. */
  #firstWorthReading(from: number, end: number): number {
    let [lines, bytes] = [0, 0];
    for (let at = end - 1; at > from; at--) {
      const entry = this.#log.at(at);
      if (entry?.kind !== 'output') continue;
      lines += countLines(entry.bytes);
      bytes += entry.bytes.length;
      // A character has four bytes at most.
      if (lines > this.#maxLines || bytes > 4 * MAX_CHARACTERS) return at;
    }
    return from;
  }

  #skip(from: number, to: number): void {
    this.#dropped += this.#lines.length;
    this.#lines = [];
    this.#characters = 0;
    for (const entry of this.#log.range(from, to)) {
      if (entry.kind !== 'output') continue;
      this.#dropped += countLines(entry.bytes);
      if (entry.bytes.at(-1) === LF) this.#broken.delete(entry.stream);
      else this.#broken.add(entry.stream);
    }
    this.#partial.clear();
    this.#decoders.clear();
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

  #output(entry: OutputEntry, lines: Line[]): void {
    const { stream, seq, atMs } = entry;
    const decoder = this.#decoders.get(stream) ?? new TextDecoder();
    this.#decoders.set(stream, decoder);
    const held = this.#partial.get(stream);
    // The line before it was whole: this one begins here.
    const open = held === undefined || held.text === '' ? { text: '', seq, atMs } : held;
    const pieces = (open.text + decoder.decode(entry.bytes, { stream: true })).split('\n');
    const rest = pieces.pop() ?? '';
    if (this.#broken.has(stream) && pieces.length > 0) {
      pieces.shift();
      this.#broken.delete(stream);
    }
    for (const [index, text] of pieces.entries())
      lines.push(new OutputLine(text, stream, index === 0 ? open : entry));
    const isNew = pieces.length > 0 || open.text === '';
    this.#partial.set(stream, {
      text: shortened(rest),
      seq: isNew ? seq : open.seq,
      atMs: isNew ? atMs : open.atMs,
    });
  }
}

function lengthOf(line: Line): number {
  return line instanceof OutputLine ? line.length : 0;
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === LF) count++;
  return count;
}

/** What is to be seen of a line, and whether its rest overwrites it. Sequences take room, too, and are not seen. */
function shortened(open: string): string {
  if (open.length <= MAX_OPEN_LENGTH) return open;
  const { start, end } = lastWritten(open);
  return end - start <= MAX_OPEN_LENGTH
    ? open.slice(start, Math.min(open.length, end + 1))
    : `${open.slice(start, start + MAX_OPEN_LENGTH)}${end < open.length ? '\r' : ''}`;
}

/** What stands on a line whose carriage returns have begun it anew; one at its end has not yet. */
function lastWritten(text: string): { readonly start: number; readonly end: number } {
  // By hand: a pattern for the end is tried at every carriage return of a line that is full of them.
  let end = text.length;
  while (text[end - 1] === '\r') end--;
  return end === 0 ? { start: 0, end } : { start: text.lastIndexOf('\r', end - 1) + 1, end };
}

function plain(text: string): string {
  const visible = text.replace(SEQUENCES, '');
  const { start, end } = lastWritten(visible);
  const line = safeText(visible.slice(start, end));
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)} …` : line;
}
