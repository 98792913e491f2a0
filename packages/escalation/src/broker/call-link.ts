// This server's end of one broker: questions come in, decisions go out.
import type { Socket } from 'node:net';
import type { CallOptions } from './escalation-broker.js';
import type { ExecEvent, ExecRequest } from './exec-request.js';
import { decodeRecord, encodeDecision, encodeEnd } from './link-codec.js';
import type { RecordSplitter } from './record-splitter.js';

export class CallLink {
  readonly #options: CallOptions;
  readonly #socket: Socket;
  readonly #open = new Map<number, AbortController>();
  #isEnding = false;

  /** `onClosed` is called once, when the broker is gone: `lost` when it neither said goodbye nor was told to end. */
  constructor(options: CallOptions, socket: Socket, onClosed: (how: 'ended' | 'lost') => void) {
    this.#options = options;
    this.#socket = socket;
    socket.on('close', () => {
      for (const asked of this.#open.values()) asked.abort();
      this.#open.clear();
      onClosed(this.#isEnding ? 'ended' : 'lost');
    });
  }

  /** A record that cannot be read ends the broker, and so every exec of its shell. */
  listen(splitter: RecordSplitter, first: readonly Buffer[]): void {
    const take = (records: readonly Buffer[]): void => {
      for (const record of records) this.#take(record);
    };
    this.#socket.on('data', (block: Buffer) => this.#guarded(() => take(splitter.push(block))));
    this.#guarded(() => take(first));
  }

  end(): void {
    this.#isEnding = true;
    if (this.#socket.writable) this.#socket.end(encodeEnd());
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch {
      this.#socket.destroy();
    }
  }

  #take(bytes: Buffer): void {
    const record = decodeRecord(bytes);
    if (record.type === 'request') void this.#ask({ callId: this.#options.callId, ...record.request });
    else if (record.type === 'event') this.#tell(record.event);
    else if (record.type === 'goodbye') this.#isEnding = true;
  }

  #tell(event: ExecEvent): void {
    if (event.type === 'abandoned') {
      this.#open.get(event.requestId)?.abort();
      this.#open.delete(event.requestId);
    }
    this.#options.onEvent?.(event);
  }

  async #ask(request: ExecRequest): Promise<void> {
    const asked = new AbortController();
    this.#open.set(request.requestId, asked);
    const answer = await this.#answer(request, asked.signal);
    if (this.#open.delete(request.requestId) && this.#socket.writable) this.#socket.write(answer);
  }

  /** A decision that fails, or cannot be written down (a NUL in a variable), is a denial. */
  async #answer(request: ExecRequest, signal: AbortSignal): Promise<Buffer> {
    try {
      return encodeDecision(request.requestId, await this.#options.onRequest(request, signal));
    } catch {
      return encodeDecision(request.requestId, { action: 'deny', reason: 'the decision failed' });
    }
  }
}
