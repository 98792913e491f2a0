// `run()`: the promise of a result that can also be read while it runs. It is returned synchronously, so being
// awaitable is safe; the handle of `spawn()` is not.

import { ExecServerError } from '../exec-server-error.js';
import type { OutputEvent } from '../process/events/process-event.js';
import type { RemoteProcess } from '../process/remote-process.js';
import type { Result, StandardSchema } from '../result.js';
import type { SpawnOptions } from '../spawn-options.js';

export interface RunOptions extends SpawnOptions {
  /** Reject with `process.failed` unless the command exits with 0. */
  readonly check?: boolean;
  /** Sees the output as it comes. */
  readonly onOutput?: (event: OutputEvent) => void;
}

export class RunPromise implements Promise<Result>, AsyncIterable<string> {
  readonly [Symbol.toStringTag] = 'RunPromise';
  /** The handle, as soon as the process runs. */
  readonly process: Promise<RemoteProcess>;
  readonly #result: Promise<Result>;

  constructor(process: Promise<RemoteProcess>, result: Promise<Result>) {
    this.process = process;
    this.#result = result;
    // A caller that iterates learns of a failure there and need not await the promise too.
    process.catch(() => undefined);
    result.catch(() => undefined);
  }

  // biome-ignore lint/suspicious/noThenProperty: this object is a promise.
  then<A = Result, B = never>(
    onResult?: ((value: Result) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result.then(onResult, onError);
  }

  catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Result | B> {
    return this.#result.catch(onError);
  }

  finally(onDone?: (() => void) | null): Promise<Result> {
    return this.#result.finally(onDone);
  }

  /** Text of both streams as it comes. Leaving the loop does nothing to the command. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    yield* (await this.process).output;
  }

  /** Lines of stdout (of the terminal, on a tty) as they come. */
  async *lines(): AsyncGenerator<string, void, undefined> {
    yield* (await this.process).stdout.lines();
  }

  /** Stdout of a command that succeeds. */
  async text(): Promise<string> {
    const { stdout } = await this.orThrow();
    if (stdout.complete) return stdout.text;
    throw new ExecServerError('output.invalid', `${stdout.omittedBytes} bytes of the output were not kept`, {
      details: { format: 'text', text: stdout.text.slice(0, 2000) },
      admitted: true,
      hint: 'Raise capture.maxBytes, or read the output as it comes.',
    });
  }

  /** Stdout of a command that succeeds, parsed. */
  json(): Promise<unknown>;
  json<T>(schema: StandardSchema<T>): Promise<T>;
  async json<T>(schema?: StandardSchema<T>): Promise<unknown> {
    const result = await this.orThrow();
    return schema === undefined ? result.json() : result.json(schema);
  }

  async orThrow(): Promise<Result> {
    return (await this.#result).orThrow();
  }
}
