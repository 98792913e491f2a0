// The calls of this end that wait for an answer: assigns ids, matches answers, and enforces cap, deadline, abort and
// the end of the connection.

import type { RequestId } from '@codex/exec-protocol';
import { RpcTransportError } from './transport-error.js';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Without it a call waits as long as the connection lives. */
  readonly timeoutMs?: number;
}

export type CallOutcome = { readonly result: unknown } | { readonly error: Error };

export type SettleVerdict = 'settled' | 'late' | 'stray';

interface PendingCall {
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
  release(): void;
}

const NOTHING = (): void => {};

export class PendingCalls {
  readonly #calls = new Map<RequestId, PendingCall>();
  readonly #max: number;
  #nextId = 1;
  #closedBy: RpcTransportError | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** `transmit` is called at once with the new id; when it throws, the call is rejected with RPC_BAD_MESSAGE. */
  open(method: string, options: CallOptions, transmit: (id: number) => void): Promise<unknown> {
    const refusal = this.#refusal(method, options.signal);
    if (refusal !== undefined) return Promise.reject(refusal);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { method, resolve, reject, release: this.#watch(id, method, options) });
      try {
        transmit(id);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        const message = `${method}: the request cannot be sent: ${why}`;
        this.settle(id, {
          error: new RpcTransportError('RPC_BAD_MESSAGE', message, { details: { method }, cause }),
        });
      }
    });
  }

  /** Of a call that waits. */
  methodOf(id: RequestId): string | undefined {
    return this.#calls.get(id)?.method;
  }

  settle(id: RequestId, outcome: CallOutcome): SettleVerdict {
    const call = this.#calls.get(id);
    if (call === undefined) {
      return typeof id === 'number' && id >= 1 && id < this.#nextId ? 'late' : 'stray';
    }
    this.#calls.delete(id);
    call.release();
    if ('error' in outcome) call.reject(outcome.error);
    else call.resolve(outcome.result);
    return 'settled';
  }

  /** Rejects everything that waits and every later call. */
  close(reason: RpcTransportError): void {
    this.#closedBy ??= reason;
    for (const id of [...this.#calls.keys()]) this.settle(id, { error: this.#closedBy });
  }

  #refusal(method: string, signal: AbortSignal | undefined): RpcTransportError | undefined {
    if (this.#closedBy !== undefined) return this.#closedBy;
    if (signal?.aborted === true) return aborted(method, signal);
    if (this.#calls.size < this.#max) return undefined;
    return new RpcTransportError(
      'RPC_CALL_LIMIT',
      `${method}: ${this.#max} calls already wait for an answer`,
      {
        details: { method, limit: this.#max },
      },
    );
  }

  #watch(id: number, method: string, { signal, timeoutMs }: CallOptions): () => void {
    if (signal === undefined && timeoutMs === undefined) return NOTHING;
    const onAbort = (): void => {
      if (signal !== undefined) this.settle(id, { error: aborted(method, signal) });
    };
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            const message = `${method}: no answer within ${timeoutMs} ms`;
            this.settle(id, {
              error: new RpcTransportError('RPC_CALL_TIMEOUT', message, { details: { method, timeoutMs } }),
            });
          }, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    return () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
  }
}

function aborted(method: string, signal: AbortSignal): RpcTransportError {
  return new RpcTransportError('RPC_CALL_ABORTED', `${method}: aborted by the caller`, {
    details: { method },
    cause: signal.reason,
  });
}
