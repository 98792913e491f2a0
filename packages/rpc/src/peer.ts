// One end of a JSON-RPC connection over any channel: calls and notifications in both directions, bulk output.

import {
  binaryText,
  encodeError,
  encodeNotification,
  encodeRequest,
  type IncomingMessage,
  idOfRefused,
  invalidRequest,
  MalformedMessageError,
  NO_REQUEST_ID,
  type PayloadMembers,
  parseBinaryMessage,
  parseMessage,
  parsePayloadRequest,
  type RequestLimits,
  RpcError,
  refuseTooLong,
} from '@codex/exec-protocol';
import type { BulkHandle, BulkSource } from './bulk-scheduler.js';
import { type Channel, type ChannelClose, CLOSE_NOT_READING, type PayloadMemory } from './channel.js';
import { InboundDispatch, type InboundHandlers } from './inbound/inbound-dispatch.js';
import { InboundTurns } from './inbound/inbound-turns.js';
import { placeReceived } from './inbound/place-received.js';
import { Outbound } from './outbound.js';
import { createPeerStats, type PeerStats } from './peer-stats.js';
import { type CallOptions, type CallOutcome, PendingCalls } from './pending-calls.js';
import { DEFAULT_RPC_LIMITS, type RpcLimits } from './rpc-limits.js';
import { type RpcLogger, SILENT_LOGGER } from './rpc-logger.js';
import { RpcTransportError } from './transport-error.js';

export interface RpcPeerOptions extends InboundHandlers {
  readonly limits?: Partial<RpcLimits>;
  readonly logger?: RpcLogger;
  /**
   * The messages with a payload in their params. A request comes with `payload` and an empty member where that is long or the
   * message is binary; of a binary notification the member holds the bytes.
   */
  readonly payloadMembers?: PayloadMembers;
  /**
   * Of what the remote end sends besides payloads; what is longer is refused before it is looked at. Default: none. A transport
   * that hands over text only is not bounded so.
   */
  readonly requestLimits?: RequestLimits;
  /**
   * How long the remote end's messages may be handled in one turn of the event loop before the rest waits for the next.
   * Default: without end.
   */
  readonly maxTurnMs?: number;
}

export class RpcPeer {
  readonly closed: Promise<ChannelClose>;
  readonly #channel: Channel;
  readonly #maxSentBytes: number;
  readonly #stats = createPeerStats();
  readonly #calls: PendingCalls;
  readonly #inbound: InboundDispatch;
  readonly #outbound: Outbound;
  readonly #turns: InboundTurns;
  readonly #payloadMembers: PayloadMembers | undefined;
  readonly #requestLimits: RequestLimits | undefined;

  constructor(channel: Channel, options: RpcPeerOptions) {
    const limits = { ...DEFAULT_RPC_LIMITS, ...options.limits };
    const logger = options.logger ?? SILENT_LOGGER;
    const stats = this.#stats;
    this.#channel = channel;
    this.#payloadMembers = options.payloadMembers;
    this.#requestLimits = options.requestLimits;
    this.#maxSentBytes = limits.maxSentMessageBytes;
    this.#calls = new PendingCalls(limits.maxPendingCalls);
    this.#outbound = new Outbound({
      channel,
      limits,
      stats,
      sourceFailed: (error) => {
        stats.internalFailures++;
        logger.error('bulk source failed and was removed', error);
      },
    });
    this.#inbound = new InboundDispatch({
      handlers: options,
      maxInFlight: limits.maxInFlightRequests,
      maxReplyBytes: limits.maxSentMessageBytes,
      stats,
      logger,
      send: (message, onTaken) => this.#outbound.send(message, onTaken),
      leastBytesOf: (message) => this.#outbound.leastBytesOf(message),
    });
    this.#turns = new InboundTurns({
      channel,
      maxTurnMs: options.maxTurnMs ?? Number.POSITIVE_INFINITY,
      mustWait: () => this.#outbound.isPaused,
    });
    this.closed = new Promise((resolve) => {
      channel.start({
        message: (text) => this.#receive(text),
        longMessage: (bytes, memory) => this.#receiveLong(bytes, memory),
        binaryMessage: (bytes, release) => this.#receiveBinary(bytes, release),
        skipped: (reason) => this.#inTurn(() => this.#refuseMalformed(new MalformedMessageError(reason))),
        inputEnded: () =>
          new Promise((answered) => this.#turns.whenEmpty(() => this.#inbound.whenIdle(answered))),
        drained: () => {
          this.#outbound.drained();
          this.#turns.drained();
        },
        closed: (info) => {
          this.#outbound.close();
          if (info.code === CLOSE_NOT_READING) this.#turns.discard();
          this.#turns.finish(() => {
            this.#end(info);
            resolve(info);
          });
        },
      });
    });
  }

  get stats(): Readonly<PeerStats> & { readonly pendingCalls: number; readonly inFlightRequests: number } {
    return { ...this.#stats, pendingCalls: this.#calls.size, inFlightRequests: this.#inbound.inFlight };
  }

  /** Whether messages with payloads can travel in binary form. */
  get canUseBinary(): boolean {
    return this.#channel.binary !== undefined;
  }

  /** Binary messages of the remote end are taken from here on. */
  acceptBinary(): void {
    this.#channel.binary?.accept();
  }

  /** Messages with payloads are sent in binary form. */
  get sendsBinary(): boolean {
    return this.#outbound.isBinary;
  }

  /** The remote end takes binary messages: those with payloads are sent so from here on. */
  sendBinary(): void {
    this.#outbound.useBinary();
  }

  /** Gives back the memory of the only payload of an answer, when its bytes are no longer used. */
  releasePayload(bytes: Uint8Array): void {
    this.#channel.releasePayload?.(bytes);
  }

  /** Rejects with the remote end's RpcError, or with an RpcTransportError when there is no answer. */
  call(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    return this.#calls.open(method, options, (id) => {
      const message = encodeRequest(id, method, params);
      const size = this.#outbound.leastBytesOf(message);
      if (size > this.#maxSentBytes) throw tooLong(size);
      this.#outbound.send(message);
    });
  }

  /** Goes out ahead of all bulk that is not yet pulled. Does nothing after the end. */
  notify(method: string, params: unknown): void {
    this.#outbound.send(encodeNotification(method, params));
  }

  addBulkSource(source: BulkSource): BulkHandle {
    return this.#outbound.addSource(source);
  }

  /** Whether the remote end gives a sign of life in time. */
  probe(timeoutMs: number): Promise<boolean> {
    return this.#channel.probe(timeoutMs);
  }

  close(code?: number, reason?: string): void {
    this.#turns.discard();
    this.#channel.close(code, reason);
  }

  #receive(text: string): void {
    this.#stats.receivedMessages++;
    if (this.#turns.canHandle()) this.#handle(text);
    else this.#turns.queue(() => this.#handle(text));
  }

  #handle(text: string): void {
    let message: IncomingMessage;
    try {
      message = parseMessage(text, this.#requestLimits?.maxKeys);
    } catch (error) {
      this.#refuseUnparsed(error, () => text);
      return;
    }
    this.#pass(message);
  }

  #pass(message: IncomingMessage): void {
    switch (message.kind) {
      case 'request':
        this.#inbound.request(message);
        break;
      case 'notification':
        this.#inbound.notification(message);
        break;
      case 'response':
        this.#settle(message.id, { result: message.result });
        break;
      case 'error': {
        const { code, message: sentence, data } = message.error;
        this.#settle(message.id, { error: new RpcError(code, sentence, { data }) });
        break;
      }
    }
  }

  #receiveLong(bytes: Uint8Array, memory: PayloadMemory): boolean {
    const members = this.#payloadMembers;
    const limits = this.#requestLimits;
    const allocate = (length: number): Uint8Array => memory.borrow(length);
    const request = members && parsePayloadRequest(bytes, { members, allocate, limits });
    if (request === undefined) return this.#refuseLong(bytes);
    const { payload } = request;
    const free = once(() => memory.release(payload));
    this.#inTurn(() => this.#inbound.request({ ...request, payload: { bytes: payload, free } }));
    return true;
  }

  /** Whether the message is longer than what may be parsed. */
  #refuseLong(bytes: Uint8Array): boolean {
    const limits = this.#requestLimits;
    if (limits === undefined || bytes.length <= limits.maxTextBytes) return false;
    const { id, reason } = refuseTooLong(bytes, this.#payloadMembers ?? new Map(), limits);
    this.#inTurn(() => {
      if (id === undefined) this.#refuseMalformed(new MalformedMessageError(reason));
      else this.#inbound.refuse(id, invalidRequest(reason));
    });
    return true;
  }

  #receiveBinary(bytes: Uint8Array, release: () => void): void {
    this.#inTurn(() => {
      try {
        this.#handleBinary(bytes, release);
      } catch (error) {
        this.#refuseUnparsed(error, () => binaryText(bytes));
      }
    });
  }

  #handleBinary(bytes: Uint8Array, release: () => void): void {
    const { message, payload: view } = parseBinaryMessage(bytes, this.#requestLimits);
    const payload = isMostOfItsMemory(view) ? view : copyOf(view);
    if (payload !== view) release();
    const wrong = placeReceived(message, payload, {
      members: this.#payloadMembers,
      methodOf: (id) => this.#calls.methodOf(id),
    });
    if (wrong !== undefined) this.#refuseBinary(message, wrong);
    else if (message.kind === 'request') {
      this.#inbound.request({
        ...message,
        payload: { bytes: payload, free: payload === view ? once(release) : () => {} },
      });
    } else this.#pass(message);
  }

  /** Under its own id where it has one: the sender waits for the answer. */
  #refuseBinary(message: IncomingMessage, sentence: string): void {
    if (message.kind === 'request') this.#inbound.refuse(message.id, invalidRequest(sentence));
    else if (message.kind === 'response') {
      this.#settle(message.id, { error: new RpcTransportError('RPC_BAD_MESSAGE', sentence) });
    } else this.#refuseMalformed(new MalformedMessageError(sentence));
  }

  #inTurn(handle: () => void): void {
    this.#stats.receivedMessages++;
    if (this.#turns.canHandle()) handle();
    else this.#turns.queue(handle);
  }

  #settle(id: Parameters<PendingCalls['settle']>[0], outcome: CallOutcome): void {
    const verdict = this.#calls.settle(id, outcome);
    if (verdict === 'late') this.#stats.lateResponses++;
    else if (verdict === 'stray') this.#stats.strayResponses++;
  }

  #refuseUnparsed(error: unknown, text: () => string | Uint8Array): void {
    const id = idOfRefused(error, text);
    if (id === undefined) this.#refuseMalformed(error);
    else this.#inbound.refuse(id, invalidRequest(error instanceof Error ? error.message : String(error)));
  }

  #refuseMalformed(error: unknown): void {
    this.#stats.malformedMessages++;
    const noun = this.#channel.transport === 'websocket' ? 'websocket JSON-RPC message' : 'JSON-RPC message';
    const detail = error instanceof Error ? error.message : String(error);
    const sentence = `failed to parse ${noun} from ${this.#channel.label}: ${detail}`;
    this.#outbound.send(encodeError(NO_REQUEST_ID, invalidRequest(sentence)));
  }

  #end(info: ChannelClose): void {
    this.#inbound.close();
    const why = info.reason === '' ? '' : `: ${info.reason}`;
    const message = `connection to ${this.#channel.label} closed${why}`;
    this.#calls.close(new RpcTransportError('RPC_CLOSED', message, { details: { ...info } }));
  }
}

/** A short payload would keep alive the whole block that it came in, which no limit counts. */
function isMostOfItsMemory({ length, buffer }: Uint8Array): boolean {
  return length * 2 >= buffer.byteLength;
}

/** Of the same class; the `slice` of Node's own class copies nothing. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes);
}

/** Released twice, it could take away the memory of the next one. */
function once(release: () => void): () => void {
  let isReleased = false;
  return () => {
    if (!isReleased) release();
    isReleased = true;
  };
}

/** Becomes the cause of the call's own error, which names the method. */
function tooLong(bytes: number): RpcTransportError {
  const message = `${bytes} bytes are more than a message may have`;
  return new RpcTransportError('RPC_BAD_MESSAGE', message, { details: { bytes } });
}
