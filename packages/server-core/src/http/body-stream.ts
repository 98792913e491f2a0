// Streams the body of a response to the client. Back-pressure: it is read as the client takes it, so a slow client
// slows the sender down and costs no memory here.
import type { IncomingMessage } from 'node:http';
import { encodeHttpBodyDelta, MAX_HTTP_BODY_DELTA_BYTES, type WireMessage } from '@codex/exec-protocol';
import type { BulkHandle, BulkSource } from '@codex/exec-rpc';

const NOTHING = new Uint8Array(0);

export interface BodyStreamOptions {
  readonly requestId: string;
  readonly response: IncomingMessage;
  /** What to tell the client about a body that broke off. */
  readonly explain: (error: unknown) => string;
  /** The last message went out, or the client is gone. */
  readonly onEnd: () => void;
}

export class BodyStream implements BulkSource {
  readonly #options: BodyStreamOptions;
  #handle: BulkHandle | undefined;
  #rest: Uint8Array = NOTHING;
  #seq = 0;
  #outcome: { readonly error: string | null } | undefined;
  #isDone = false;

  constructor(options: BodyStreamOptions) {
    this.#options = options;
    const { response, explain } = options;
    response.on('readable', () => this.#handle?.wake());
    response.on('end', () => this.#settle({ error: null }));
    response.on('error', (error) => this.#settle({ error: explain(error) }));
    response.on('close', () => this.#settle({ error: explain(undefined) }));
  }

  /** Begins to send. Until then the response waits. */
  start(addBulkSource: (source: BulkSource) => BulkHandle): void {
    if (!this.#isDone) this.#handle = addBulkSource(this);
  }

  next(): WireMessage | undefined {
    if (this.#isDone) return undefined;
    const block = this.#takeBlock();
    if (block !== undefined) return this.#encode(block, { done: false, error: null });
    if (this.#outcome === undefined) return undefined;
    this.end();
    return this.#encode(NOTHING, { done: true, error: this.#outcome.error });
  }

  /** Nothing more is sent. */
  end(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#handle?.remove();
    this.#options.response.destroy();
    this.#options.onEnd();
  }

  #takeBlock(): Uint8Array | undefined {
    if (this.#rest.byteLength === 0) this.#rest = (this.#options.response.read() as Buffer | null) ?? NOTHING;
    if (this.#rest.byteLength === 0) return undefined;
    const block = this.#rest.subarray(0, MAX_HTTP_BODY_DELTA_BYTES);
    this.#rest = this.#rest.subarray(block.byteLength);
    return block;
  }

  #encode(bytes: Uint8Array, state: { done: boolean; error: string | null }): WireMessage {
    return encodeHttpBodyDelta({ requestId: this.#options.requestId, seq: ++this.#seq, ...state }, bytes);
  }

  #settle(outcome: { readonly error: string | null }): void {
    this.#outcome ??= outcome;
    this.#handle?.wake();
  }
}
