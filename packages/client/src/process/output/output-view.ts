// Output as text, lines or bytes. Every iteration has its own place in the process' log: several may run, and leaving
// one does nothing to the process. Lost output ends an iteration with an error unless the caller takes the gaps.

import { ExecServerError } from '../../exec-server-error.js';
import type { Gap, StandardSchema, StreamName } from '../../result.js';
import { checkSchema } from '../end/run-result.js';
import { readEvents } from '../events/event-iteration.js';
import type { Cursor, OutputEvent } from '../events/process-event.js';
import type { ProcessFeed } from '../events/process-feed.js';
import { checkCallOptions } from '../process-option-rules.js';

export interface ReadOptions {
  /** Default `start`: what is still there of the beginning. */
  readonly from?: Cursor | 'start' | 'now';
  /** Ends the iteration with an `aborted` error. */
  readonly signal?: AbortSignal;
  /** Takes gaps as they come; without it a gap ends the iteration with `process.outputGap`. */
  readonly onGap?: (gap: Gap) => void;
}

export interface LineOptions extends ReadOptions {
  /** Longer lines come in pieces. Default 1 Mi characters. */
  readonly maxLineLength?: number;
}

export interface OutputView extends AsyncIterable<string> {
  text(options?: ReadOptions): AsyncIterableIterator<string>;
  lines(options?: LineOptions): AsyncIterableIterator<string>;
  bytes(options?: ReadOptions): ReadableStream<Uint8Array>;
  /** One JSON value per line; blank lines are skipped. */
  ndjson<T = unknown>(
    options?: LineOptions & { readonly schema?: StandardSchema<T> },
  ): AsyncIterableIterator<T>;
}

const MAX_LINE_LENGTH = 1024 * 1024;

export class ProcessOutputView implements OutputView {
  readonly #feed: ProcessFeed;
  readonly #takes: (stream: StreamName) => boolean;

  constructor(feed: ProcessFeed, takes: (stream: StreamName) => boolean) {
    this.#feed = feed;
    this.#takes = takes;
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this.text();
  }

  text(options: ReadOptions = {}): AsyncGenerator<string, void, undefined> {
    checkCallOptions('text', options);
    return this.#text(options);
  }

  lines(options: LineOptions = {}): AsyncGenerator<string, void, undefined> {
    checkCallOptions('lines', options);
    return this.#lines(options);
  }

  ndjson<T = unknown>(
    options: LineOptions & { readonly schema?: StandardSchema<T> } = {},
  ): AsyncGenerator<T, void, undefined> {
    checkCallOptions('ndjson', options);
    return this.#values(options);
  }

  bytes(options: ReadOptions = {}): ReadableStream<Uint8Array> {
    checkCallOptions('bytes', options);
    const chunks = this.#chunks(options);
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { value, done } = await chunks.next();
          if (done === true) controller.close();
          else controller.enqueue(value.bytes);
        },
        cancel: async () => void (await chunks.return()),
      },
      { highWaterMark: 0 },
    );
  }

  async *#text(options: ReadOptions): AsyncGenerator<string, void, undefined> {
    const seen = new Set<StreamName>();
    for await (const { stream, text } of this.#chunks(options)) {
      seen.add(stream);
      if (text !== '') yield text;
    }
    for (const stream of seen) {
      const rest = this.#feed.unfinishedText(stream);
      if (rest !== '') yield rest;
    }
  }

  async *#lines(options: LineOptions): AsyncGenerator<string, void, undefined> {
    const { maxLineLength = MAX_LINE_LENGTH } = options;
    let unfinished = '';
    for await (const text of this.#text(options)) {
      const pieces = (unfinished + text).split('\n');
      unfinished = pieces.pop() ?? '';
      for (const line of pieces) yield line.endsWith('\r') ? line.slice(0, -1) : line;
      for (; unfinished.length > maxLineLength; unfinished = unfinished.slice(maxLineLength)) {
        yield unfinished.slice(0, maxLineLength);
      }
    }
    if (unfinished !== '') yield unfinished;
  }

  async *#values<T>(
    options: LineOptions & { readonly schema?: StandardSchema<T> },
  ): AsyncGenerator<T, void, undefined> {
    for await (const line of this.#lines(options)) {
      if (line.trim() === '') continue;
      const value = parseLine(line);
      yield options.schema === undefined ? (value as T) : await checkSchema(value, options.schema);
    }
  }

  async *#chunks(options: ReadOptions): AsyncGenerator<OutputEvent, void, undefined> {
    for await (const event of readEvents(this.#feed, options)) {
      if (event.type === 'output' && this.#takes(event.stream)) yield event;
      if (event.type === 'gap') takeGap(event.gap, options, this.#feed.processId);
      if (event.type === 'lost') throw event.error;
    }
  }
}

function takeGap(gap: Gap, { onGap }: ReadOptions, processId: string): void {
  if (onGap !== undefined) {
    onGap(gap);
    return;
  }
  const size = gap.bytes === null ? 'an unknown number of' : gap.bytes;
  const place = gap.why === 'serverEvicted' ? 'the server' : 'this client';
  throw new ExecServerError(
    'process.outputGap',
    `${size} bytes of output are gone: ${place} keeps only the newest part`,
    {
      details: { processId, gap },
      hint: 'Read sooner, raise bufferBytes, or pass onGap to go on behind the gap.',
    },
  );
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ExecServerError('output.invalid', `a line is not JSON: ${String(cause)}`, {
      details: { format: 'json', text: line.slice(0, 2000) },
      admitted: true,
      cause,
    });
  }
}
