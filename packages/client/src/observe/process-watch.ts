// The output of a process of another session, as it happens: an iteration with its own place in the log. It goes on behind a
// lost connection where it was, and tells the server what it has taken, so that nothing piles up on either side.
import {
  type OmittedOutput,
  type Payload,
  type ProcessSummary,
  payloadBytes,
  RpcError,
  type SandboxDenial,
  type SandboxStop,
} from '@codex/exec-protocol';
import type { IncomingNotification } from '@codex/exec-rpc';
import { ExecServerError } from '../exec-server-error.js';
import type { StreamName } from '../result.js';
import { rejected } from '../rpc-failure.js';
import type { SessionLink } from '../session/session-link.js';

export interface WatchOptions {
  /** The first event wanted. Default: the oldest that is kept. */
  readonly fromSeq?: number;
  /** Instead of `fromSeq`: about so much of the newest output, and what follows. */
  readonly tailBytes?: number;
  /** `latest` skips what is old when it falls behind. Default `complete`. */
  readonly mode?: 'complete' | 'latest';
  /** How much may be on its way. Default 512 KiB. */
  readonly windowBytes?: number;
}

export type WatchEvent =
  | {
      readonly type: 'output';
      readonly seq: number;
      readonly atMs: number;
      readonly stream: StreamName | 'pty';
      readonly bytes: Uint8Array;
    }
  /** What is missing, never silently. */
  | {
      readonly type: 'gap';
      readonly fromSeq: number;
      readonly toSeq: number;
      readonly bytes: number;
      readonly why: 'evicted' | 'skipped';
    }
  | {
      readonly type: 'resized';
      readonly seq: number;
      readonly atMs: number;
      readonly rows: number;
      readonly cols: number;
    }
  | {
      readonly type: 'exited';
      readonly seq: number;
      readonly atMs: number;
      readonly exitCode: number;
      readonly sandboxDenied: boolean;
      readonly denial?: SandboxDenial;
      readonly stopped?: SandboxStop;
    }
  | { readonly type: 'closed'; readonly seq: number; readonly atMs: number }
  | { readonly type: 'ended'; readonly reason: 'complete' | 'forgotten' | 'sessionEnded' };

export interface WatchTarget {
  readonly session: string;
  readonly processId: string;
}

const ACK_AFTER_BYTES = 64 * 1024;

export class ProcessWatch implements AsyncIterable<WatchEvent>, AsyncDisposable {
  readonly name: string;
  readonly target: WatchTarget;
  readonly #link: SessionLink;
  readonly #options: WatchOptions;
  readonly #onClosed: () => void;
  readonly #events: WatchEvent[] = [];
  #process: ProcessSummary | undefined;
  #nextSeq: number | undefined;
  #takenBytes = 0;
  /** What comes behind the answer to the opening may be here before the answer was looked at. */
  #early: WatchEvent[] | undefined;
  #isOver = false;
  #failure: ExecServerError | undefined;
  #wake: () => void = () => undefined;

  constructor(parts: {
    readonly name: string;
    readonly target: WatchTarget;
    readonly link: SessionLink;
    readonly options: WatchOptions;
    readonly onClosed: () => void;
  }) {
    this.name = parts.name;
    this.target = parts.target;
    this.#link = parts.link;
    this.#options = parts.options;
    this.#onClosed = parts.onClosed;
  }

  /** What the process was like when the watch was opened. */
  get process(): ProcessSummary | undefined {
    return this.#process;
  }

  /** Asks the server for it. What is missing at the beginning is the first event. */
  async open(): Promise<void> {
    const { fromSeq, tailBytes, mode, windowBytes } = this.#options;
    const isFirst = this.#nextSeq === undefined;
    const from = this.#nextSeq ?? fromSeq;
    const params = {
      ...this.target,
      watch: this.name,
      ...(from === undefined ? {} : { fromSeq: from }),
      ...(from === undefined && tailBytes !== undefined ? { tailBytes } : {}),
      ...(mode === undefined ? {} : { mode }),
      ...(windowBytes === undefined ? {} : { windowBytes }),
    };
    this.#early = [];
    const opened = await this.#link.call('observe/open', params, { control: true });
    this.#process = opened.process;
    this.#nextSeq = opened.fromSeq;
    if (opened.omitted != null) this.#gap(opened.omitted);
    if (isFirst && opened.size != null) this.#push({ type: 'resized', ...opened.size });
    const early = this.#early;
    this.#early = undefined;
    for (const event of early) this.#arrived(event);
  }

  /** The connection is new: the server has forgotten the watch, and is asked to go on where it was. */
  reconnected(): void {
    if (this.#isOver) return;
    this.open().catch((error: unknown) => {
      if (error instanceof RpcError) this.#push({ type: 'ended', reason: 'forgotten' });
      // Lost once more: the next connection asks again, if there is one.
      else if (this.#link.ended !== undefined) this.fail(error);
    });
  }

  fail(error: unknown): void {
    this.#failure = error instanceof ExecServerError ? error : undefined;
    this.#isOver = true;
    this.#wake();
  }

  take({ method, params }: IncomingNotification): void {
    const event = readEvent(method, params as Record<string, unknown>);
    if (event === undefined || this.#isOver) return;
    if (this.#early === undefined) this.#arrived(event);
    else this.#early.push(event);
  }

  #arrived(event: WatchEvent): void {
    if ('seq' in event && event.type !== 'resized') {
      // What came before a cut may come once more.
      if (this.#nextSeq !== undefined && event.seq < this.#nextSeq && event.type === 'output') return;
      this.#nextSeq = Math.max(this.#nextSeq ?? 0, event.seq + 1);
    }
    if (event.type === 'gap') this.#nextSeq = event.toSeq + 1;
    this.#push(event);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#onClosed();
    this.#wake();
    await this.#link.call('observe/close', { watch: this.name }, { control: true }).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent> {
    try {
      for (;;) {
        const event = this.#events.shift();
        if (event !== undefined) {
          yield event;
          this.#taken(event);
          if (event.type === 'ended') return;
        } else if (this.#isOver) {
          if (this.#failure !== undefined) throw this.#failure;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      if (!this.#isOver) await this.close();
    }
  }

  #push(event: WatchEvent): void {
    this.#events.push(event);
    if (event.type === 'ended') {
      this.#isOver = true;
      this.#onClosed();
    }
    this.#wake();
  }

  #gap({ fromSeq, toSeq, bytes }: OmittedOutput): void {
    this.#push({ type: 'gap', fromSeq, toSeq, bytes, why: 'evicted' });
  }

  #taken(event: WatchEvent): void {
    if (!('seq' in event) || event.type === 'resized') return;
    if (event.type === 'output') this.#takenBytes += event.bytes.length + 160;
    if (this.#takenBytes < ACK_AFTER_BYTES && this.#events.length > 0) return;
    this.#takenBytes = 0;
    this.#link.notify('observe/ack', { watch: this.name, seq: event.seq });
  }
}

/** A failed opening, in the words of the client. */
export function openFailure(error: unknown): unknown {
  return error instanceof RpcError ? rejected('observe/open', error) : error;
}

function readEvent(method: string, params: Record<string, unknown>): WatchEvent | undefined {
  const { watch, chunk, ...rest } = params;
  switch (method) {
    case 'observe/output': {
      const bytes = payloadBytes(chunk as Payload) ?? new Uint8Array();
      return { type: 'output', bytes, ...rest } as WatchEvent;
    }
    case 'observe/gap':
    case 'observe/resized':
    case 'observe/exited':
    case 'observe/closed':
    case 'observe/ended':
      return { type: method.slice('observe/'.length), ...rest } as WatchEvent;
    default:
      return undefined;
  }
}
