// One end of a JSON-RPC connection over any channel: calls and notifications in both directions, bulk output.

import {
  encodeError,
  encodeNotification,
  encodeRequest,
  type IncomingMessage,
  invalidRequest,
  NO_REQUEST_ID,
  type PayloadMembers,
  parseMessage,
  parsePayloadRequest,
  RpcError,
} from '@codex/exec-protocol';
import type { BulkHandle, BulkSource } from './bulk-scheduler.js';
import { type Channel, type ChannelClose, CLOSE_NOT_READING, type PayloadMemory } from './channel.js';
import { InboundDispatch, type InboundHandlers } from './inbound-dispatch.js';
import { InboundTurns } from './inbound-turns.js';
import { Outbound } from './outbound.js';
import { createPeerStats, type PeerStats } from './peer-stats.js';
import { type CallOptions, type CallOutcome, PendingCalls } from './pending-calls.js';
import { DEFAULT_RPC_LIMITS, type RpcLimits } from './rpc-limits.js';
import { type RpcLogger, SILENT_LOGGER } from './rpc-logger.js';
import { RpcTransportError } from './transport-error.js';
import { minimumWireBytes } from './wire-size.js';

export interface RpcPeerOptions extends InboundHandlers {
  readonly limits?: Partial<RpcLimits>;
  readonly logger?: RpcLogger;
  /** Requests whose handlers take their payload as bytes: long ones come with `payload` and an empty member. */
  readonly payloadMembers?: PayloadMembers;
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

  constructor(channel: Channel, options: RpcPeerOptions) {
    const limits = { ...DEFAULT_RPC_LIMITS, ...options.limits };
    const logger = options.logger ?? SILENT_LOGGER;
    const stats = this.#stats;
    this.#channel = channel;
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
      send: (message) => this.#outbound.send(message),
    });
    this.#turns = new InboundTurns({
      channel,
      maxTurnMs: options.maxTurnMs ?? Number.POSITIVE_INFINITY,
      mustWait: () => this.#outbound.isPaused,
    });
    this.closed = new Promise((resolve) => {
      channel.start({
        message: (text) => this.#receive(text),
        longMessage: (bytes, memory) => this.#receiveLong(bytes, memory, options.payloadMembers),
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

  /** Rejects with the remote end's RpcError, or with an RpcTransportError when there is no answer. */
  call(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    return this.#calls.open(method, options, (id) => {
      const message = encodeRequest(id, method, params);
      const size = minimumWireBytes(message);
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
      message = parseMessage(text);
    } catch (error) {
      this.#refuseMalformed(error);
      return;
    }
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

  #receiveLong(bytes: Uint8Array, memory: PayloadMemory, members: PayloadMembers | undefined): boolean {
    const allocate = (length: number): Uint8Array => memory.borrow(length);
    const request = members && parsePayloadRequest(bytes, { members, allocate });
    if (request === undefined) return false;
    this.#stats.receivedMessages++;
    const { payload } = request;
    let isFree = false;
    const free = (): void => {
      // Released twice, it could take away the next payload's memory.
      if (!isFree) memory.release(payload);
      isFree = true;
    };
    const handle = (): void => this.#inbound.request({ ...request, payload: { bytes: payload, free } });
    if (this.#turns.canHandle()) handle();
    else this.#turns.queue(handle);
    return true;
  }

  #settle(id: Parameters<PendingCalls['settle']>[0], outcome: CallOutcome): void {
    const verdict = this.#calls.settle(id, outcome);
    if (verdict === 'late') this.#stats.lateResponses++;
    else if (verdict === 'stray') this.#stats.strayResponses++;
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

/** Becomes the cause of the call's own error, which names the method. */
function tooLong(bytes: number): RpcTransportError {
  const message = `${bytes} bytes are more than a message may have`;
  return new RpcTransportError('RPC_BAD_MESSAGE', message, { details: { bytes } });
}
