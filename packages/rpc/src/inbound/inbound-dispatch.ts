// Requests and notifications of the remote end: handlers run synchronously in arrival order, results may come later.
// Only an RpcError tells the remote end what went wrong; anything else is answered with a generic sentence and logged.

import {
  encodeError,
  encodeResult,
  internalError,
  invalidRequest,
  NO_REQUEST_ID,
  type RequestId,
  RpcError,
  type WireMessage,
  WireResult,
} from '@codex/exec-protocol';
import type { PeerStats } from '../peer-stats.js';
import type { RpcLogger } from '../rpc-logger.js';

export interface RequestPayload {
  readonly bytes: Uint8Array;
  /** Only when the bytes are no longer used: the next payload may overwrite them. Need not be called. */
  free(): void;
}

export interface IncomingRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  readonly trace?: unknown;
  /**
   * What the payload member of `params` held, where it was long or raw and the peer was told of it; the member is empty then.
   */
  readonly payload?: RequestPayload;
  /** Runs the callback right after the answer was handed to the transport; not at all when the peer has ended. */
  afterReply(callback: () => void): void;
}

export interface IncomingNotification {
  readonly method: string;
  readonly params: unknown;
}

export interface InboundHandlers {
  /** May return a value, a WireResult, or a promise of one. Throwing an RpcError answers with it. */
  onRequest(request: IncomingRequest): unknown;
  /** Throwing an RpcError sends it with id -1. */
  onNotification(notification: IncomingNotification): void | Promise<void>;
}

export interface InboundOptions {
  readonly handlers: InboundHandlers;
  readonly maxInFlight: number;
  readonly maxReplyBytes: number;
  readonly stats: PeerStats;
  readonly logger: RpcLogger;
  /** `onTaken`: nobody looks at the bytes of the message any more. */
  send(message: WireMessage, onTaken?: () => void): void;
  leastBytesOf(message: WireMessage): number;
}

type RequestFields = Omit<IncomingRequest, 'afterReply'>;

class RequestInWork implements IncomingRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  readonly trace?: unknown;
  readonly payload?: RequestPayload;
  followUps: (() => void)[] | undefined;

  constructor({ id, method, params, trace, payload }: RequestFields) {
    this.id = id;
    this.method = method;
    this.params = params;
    if (trace !== undefined) this.trace = trace;
    if (payload !== undefined) this.payload = payload;
  }

  afterReply(callback: () => void): void {
    this.followUps ??= [];
    this.followUps.push(callback);
  }
}

export class InboundDispatch {
  readonly #options: InboundOptions;
  #inFlight = 0;
  #isClosed = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: InboundOptions) {
    this.#options = options;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  request(fields: RequestFields): void {
    const { handlers, maxInFlight, stats, send } = this.#options;
    stats.requests++;
    if (this.#inFlight >= maxInFlight) {
      stats.refusedRequests++;
      send(encodeError(fields.id, tooManyRequests(maxInFlight)));
      return;
    }
    const request = new RequestInWork(fields);
    this.#inFlight++;
    let result: unknown;
    try {
      result = handlers.onRequest(request);
    } catch (error) {
      this.#fail(request, error);
      return;
    }
    if (isThenable(result)) {
      result.then(
        (value) => this.#succeed(request, value),
        (error: unknown) => this.#fail(request, error),
      );
    } else {
      this.#succeed(request, result);
    }
  }

  notification(notification: IncomingNotification): void {
    this.#options.stats.notifications++;
    const refuse = (error: unknown): void => {
      if (!this.#isClosed)
        this.#options.send(encodeError(NO_REQUEST_ID, this.#publicError(error, notification.method)));
    };
    try {
      const outcome: unknown = this.#options.handlers.onNotification(notification);
      if (isThenable(outcome)) outcome.then(undefined, refuse);
    } catch (error) {
      refuse(error);
    }
  }

  /** Answers a request that no handler sees. */
  refuse(id: RequestId, error: RpcError): void {
    this.#options.stats.requests++;
    this.#options.stats.refusedRequests++;
    if (!this.#isClosed) this.#options.send(encodeError(id, error));
  }

  /** Runs the callback when every request is answered. */
  whenIdle(callback: () => void): void {
    if (this.#inFlight === 0) callback();
    else this.#whenIdle = callback;
  }

  /** Answers that are still worked on are dropped. */
  close(): void {
    this.#isClosed = true;
  }

  #succeed(request: RequestInWork, value: unknown): void {
    let message: WireMessage;
    try {
      message = encodeResult(request.id, value === undefined ? null : value);
    } catch (error) {
      this.#fail(request, error);
      return;
    }
    const size = this.#options.leastBytesOf(message);
    const { maxReplyBytes } = this.#options;
    if (size > maxReplyBytes) this.#fail(request, replyTooLarge(size, maxReplyBytes));
    else this.#reply(request, message, value instanceof WireResult ? value.onTaken : undefined);
  }

  #fail(request: RequestInWork, error: unknown): void {
    this.#reply(request, encodeError(request.id, this.#publicError(error, request.method)));
  }

  #reply(request: RequestInWork, message: WireMessage, onTaken?: () => void): void {
    this.#inFlight--;
    if (this.#isClosed) return;
    this.#options.send(message, onTaken);
    for (const followUp of request.followUps ?? []) {
      try {
        followUp();
      } catch (error) {
        this.#options.stats.internalFailures++;
        this.#options.logger.error(`after the reply to ${request.method}`, error);
      }
    }
    if (this.#inFlight === 0) this.#whenIdle?.();
  }

  #publicError(error: unknown, method: string): RpcError {
    if (error instanceof RpcError) return error;
    this.#options.stats.internalFailures++;
    this.#options.logger.error(`handler of ${method} failed`, error);
    return internalError('internal error');
  }
}

function tooManyRequests(limit: number): RpcError {
  return invalidRequest(
    `too many requests in flight on this connection (limit ${limit}); wait for answers first`,
  );
}

function replyTooLarge(size: number, limit: number): RpcError {
  return internalError(
    `the answer has ${size} bytes, more than a message may have (${limit}); ask for less at a time`,
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function';
}
