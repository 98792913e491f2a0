// Looks for patterns in a process' text, each search behind the match before it, as a dialogue needs it.

import type { StreamName } from '../../result.js';
import type { LogReader } from '../events/event-log.js';
import { type Cursor, cursorAt } from '../events/process-event.js';
import { matchPattern } from './pattern.js';

export interface TextMatch {
  readonly match: RegExpMatchArray;
  /** Behind the chunk that completed the match. */
  readonly cursor: Cursor;
}

/** How far back a pattern may begin; every chunk is searched with this much before it. */
const MAX_TEXT = 64 * 1024;

export class TextScanner {
  readonly #reader: LogReader;
  readonly #stream: StreamName | undefined;
  #text = '';

  constructor(reader: LogReader, stream?: StreamName) {
    this.#reader = reader;
    this.#stream = stream;
  }

  /** Reads what is there; undefined when the pattern is not in it yet. */
  find(pattern: string | RegExp): TextMatch | undefined {
    let match = matchPattern(this.#text, pattern);
    for (let event = match === undefined ? this.#reader.next() : undefined; event !== undefined; ) {
      if (event.type === 'output' && (this.#stream === undefined || event.stream === this.#stream)) {
        this.#text = (this.#text + event.text).slice(-MAX_TEXT);
        match = matchPattern(this.#text, pattern);
      }
      event = match === undefined ? this.#reader.next() : undefined;
    }
    if (match === undefined) return undefined;
    this.#text = this.#text.slice((match.index ?? 0) + match[0].length);
    return { match, cursor: cursorAt(this.#reader.seq) };
  }
}
