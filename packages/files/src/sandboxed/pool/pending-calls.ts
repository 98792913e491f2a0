// The calls that a helper has not answered yet.
import type { Buffer } from 'node:buffer';
import { FsError, toFsError } from '../../fs-error.js';
import type { OperationName, WireFailure } from '../../helper-protocol/helper-messages.js';
import { HelperProtocolError } from '../../helper-protocol/helper-protocol-error.js';

export interface HelperCall {
  readonly operation: OperationName;
  readonly args: object;
  readonly payload?: Uint8Array;
  readonly signal?: AbortSignal | undefined;
  /** Waits for room for that many bytes of the answer. */
  readonly reserve?: ((bytes: number) => Promise<void> | void) | undefined;
  /** What to say of a file above the limit. */
  readonly tooLarge?: ((size: number) => FsError) | undefined;
}

export interface HelperAnswer {
  readonly result: unknown;
  readonly payload: Buffer;
}

interface Waiting {
  readonly call: HelperCall;
  resolve(answer: HelperAnswer): void;
  reject(error: Error): void;
}

export class PendingCalls {
  readonly #waiting = new Map<number, Waiting>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Settles with the answer; `onSettled` runs right before. */
  add(id: number, call: HelperCall, onSettled: () => void): Promise<HelperAnswer> {
    return new Promise((resolve, reject) => {
      const settling =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          this.#waiting.delete(id);
          onSettled();
          settle(value);
        };
      this.#waiting.set(id, { call, resolve: settling(resolve), reject: settling(reject) });
    });
  }

  answer(id: number, answer: HelperAnswer): void {
    this.#get(id).resolve(answer);
  }

  fail(id: number, failure: WireFailure): void {
    const { call, reject } = this.#get(id);
    reject(failureOf(failure, call));
  }

  failAll(error: Error): void {
    for (const { reject } of [...this.#waiting.values()]) reject(error);
    this.#waiting.clear();
  }

  /** Waits for room for the answer; a call for which there is none fails, and its answer is dropped when it comes. */
  reserve(id: number, bytes: number): Promise<void> {
    const waiting = this.#get(id);
    return Promise.resolve()
      .then(() => waiting.call.reserve?.(bytes))
      .catch((error: unknown) => {
        if (this.#waiting.get(id) !== waiting) return;
        waiting.reject(toFsError(error));
        const forget = (): void => void this.#waiting.delete(id);
        this.#waiting.set(id, { call: waiting.call, resolve: forget, reject: forget });
      });
  }

  /** Throws for what no helper of ours answers. */
  #get(id: number): Waiting {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) throw new HelperProtocolError('an answer to nothing');
    return waiting;
  }
}

function failureOf({ code, message, errno, tooLarge }: WireFailure, call: HelperCall): FsError {
  if (tooLarge !== undefined && call.tooLarge !== undefined) return call.tooLarge(tooLarge);
  return new FsError(code, message, { details: errno === undefined ? {} : { errno } });
}
