// Input of a process. Writes are numbered and repeated with the same number after a reconnect, so that the server
// takes each exactly once; they go one after the other. Of a long one a few pieces are on their way at once.

import { type ParamsWithPayload, RpcError } from '@codex/exec-protocol';
import { sleep } from '@codex/exec-rpc';
import type { Capabilities } from '../../capabilities.js';
import { abortedError, ExecServerError } from '../../exec-server-error.js';
import { checkKeyNames, checkPiece } from '../../options/argument-rules.js';
import type { SessionLink } from '../../session/session-link.js';
import type { Input, InputChunk } from '../../spawn-options.js';
import type { ProcessFeed } from '../events/process-feed.js';
import { checkCallOptions } from '../process-option-rules.js';

export interface Stdin {
  /** False when the process has no input, or its end was sent. */
  readonly open: boolean;
  /** Resolves when the server has taken all of it. */
  write(data: InputChunk, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Sends the end of input: closes a pipe, types Ctrl-D on a terminal. */
  end(): Promise<void>;
  /** Keys of a terminal. */
  keys(...names: KeyName[]): Promise<void>;
}

const KEYS = {
  'ctrl-c': '\x03',
  'ctrl-d': '\x04',
  'ctrl-z': '\x1a',
  'ctrl-\\': '\x1c',
  enter: '\r',
  tab: '\t',
  esc: '\x1b',
  backspace: '\x7f',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
} as const;

export type KeyName = keyof typeof KEYS;
export type StdinMode = 'none' | 'pipe' | 'tty';

const PIECE_BYTES = 512 * 1024;
/** One is on its way to the command, one to the server, and one is being made. */
const PIECES_AT_ONCE = 3;
const STARTING_RETRY_MS = 10;

export interface StdinParts {
  readonly link: SessionLink;
  readonly feed: ProcessFeed;
  readonly capabilities: Capabilities;
  readonly mode: StdinMode;
}

export class ProcessStdin implements Stdin {
  readonly #parts: StdinParts;
  // Unique among all clients that ever hold this process, or the server would take a new write for a repeated one.
  readonly #prefix = crypto.randomUUID().slice(0, 13);
  #next = 1;
  #hasEnded = false;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: StdinParts) {
    this.#parts = parts;
  }

  get open(): boolean {
    return this.#parts.mode !== 'none' && !this.#hasEnded && this.#parts.feed.isRunning;
  }

  async write(data: InputChunk, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    checkPiece(data, 'stdin.write');
    checkCallOptions('stdin.write', options);
    const { signal } = options;
    return this.#enqueue(async () => {
      const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
      const underWay: Promise<void>[] = [];
      for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
        if (signal?.aborted === true) throw abortedError('stdin.write', signal.reason);
        const written = this.#writePiece(bytes.subarray(start, start + PIECE_BYTES));
        written.catch(() => undefined); // told below
        underWay.push(written);
        // The first goes alone: where a command is only starting a server may ask for it again.
        if (start === 0 || underWay.length >= this.#piecesAtOnce) await underWay.shift();
      }
      await Promise.all(underWay);
    });
  }

  /** Servers that can end the input are ours, and take writes in the order they were sent in. */
  get #piecesAtOnce(): number {
    return this.#parts.capabilities.supports('stdin.end') ? PIECES_AT_ONCE : 1;
  }

  /** A source that fails is reported, because its error is the caller's; what cannot be written is only thrown. */
  async writeAll(input: Input, onSourceFailed: (reason: unknown) => void): Promise<void> {
    if (typeof input === 'string' || input instanceof Uint8Array) await this.write(input);
    else for await (const chunk of reportingFailure(input, onSourceFailed)) await this.write(chunk);
  }

  end(): Promise<void> {
    if (this.#parts.mode === 'tty') return this.write(KEYS['ctrl-d']);
    return this.#enqueue(async () => {
      if (this.#hasEnded || this.#parts.mode === 'none') return;
      const { link, feed, capabilities } = this.#parts;
      capabilities.require('stdin.end', 'Ending the input of a running process');
      this.#hasEnded = true;
      if (!feed.isRunning) return;
      await link.ask('process/closeStdin', { processId: feed.processId }, { repeatable: true });
    });
  }

  async keys(...names: KeyName[]): Promise<void> {
    checkKeyNames(names, Object.keys(KEYS));
    await this.write(names.map((name) => KEYS[name]).join(''));
  }

  // A failed write leaves the ones behind it to fail or work on their own.
  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #writePiece(piece: Uint8Array): Promise<void> {
    const { link, feed, mode } = this.#parts;
    if (mode === 'none' || this.#hasEnded) throw this.#closedError();
    const params = {
      processId: feed.processId,
      chunk: piece,
      writeId: `${this.#prefix}-${this.#next++}`,
    };
    for (;;) {
      const { status } = await this.#send(params);
      if (status === 'accepted') return;
      if (status === 'stdinClosed') throw this.#closedError();
      if (status === 'unknownProcess') throw unknownProcess(feed.processId);
      await sleep(link.clock, STARTING_RETRY_MS);
    }
  }

  async #send(params: ParamsWithPayload<'process/write'>) {
    try {
      return await this.#parts.link.call('process/write', params, { repeatable: true });
    } catch (error) {
      // Servers answer a write that the process cannot take any more with an internal error.
      if (error instanceof RpcError) throw this.#closedError(error);
      throw error;
    }
  }

  #closedError(cause?: unknown): ExecServerError<'process.stdinClosed'> {
    const { feed, mode } = this.#parts;
    const why = mode === 'none' ? 'it was started without one' : 'it has ended';
    return new ExecServerError('process.stdinClosed', `process ${feed.processId} takes no input: ${why}`, {
      details: { processId: feed.processId },
      ...(mode === 'none' ? { hint: "Start it with stdin: 'pipe' or tty: true." } : {}),
      ...(cause === undefined ? {} : { cause }),
    });
  }
}

async function* reportingFailure(
  source: Iterable<InputChunk> | AsyncIterable<InputChunk>,
  onFailed: (reason: unknown) => void,
): AsyncGenerator<InputChunk, void, undefined> {
  try {
    for await (const chunk of source) {
      checkPiece(chunk, 'stdin');
      yield chunk;
    }
  } catch (reason) {
    onFailed(reason);
    throw reason;
  }
}

export function unknownProcess(processId: string): ExecServerError<'process.unknown'> {
  return new ExecServerError('process.unknown', `the server does not know process ${processId}`, {
    details: { processId },
    hint: 'It ended and was forgotten, or it belongs to another session.',
  });
}
