// A helper that serves many requests of one policy, any number at a time, until its input ends.

import { type FsError, otherError, toFsError } from '../fs-error.js';
import { encodeFrame, type Frame, FrameReader } from '../helper-protocol/frames.js';
import type { FromHelper, ToHelper, WireFailure } from '../helper-protocol/helper-messages.js';
import { HelperProtocolError } from '../helper-protocol/helper-protocol-error.js';
import { FileCalls } from '../local/calls/file-calls.js';
import { createLocalFileSystem } from '../local/local-file-system.js';
import { hasDescriptorPaths } from '../local/paths/open-directory.js';
import { swappedPlace } from './guard/granted-place.js';
import { PolicyGuard } from './guard/policy-guard.js';
import {
  type CallContext,
  OpenFiles,
  type Operations,
  type Outcome,
  operationsOn,
  TooLarge,
} from './operations.js';
import type { RequestService } from './request-input.js';
import { SyncAnswers } from './sync-answers.js';
import type { HelperWatches } from './watch/helper-watches.js';

type Call = Extract<ToHelper, { type: 'call' }>;

interface Running {
  readonly abort: AbortController;
  hasRoom?: () => void;
}

export class HelperService implements RequestService {
  readonly #send: (blocks: readonly Uint8Array[]) => void;
  readonly #reader = new FrameReader((frame) => this.#receive(frame));
  readonly #running = new Map<number, Running>();
  readonly #files = new OpenFiles();
  #guard: PolicyGuard | undefined;
  /** Undefined until the policy came. */
  #operations: Operations | undefined;
  #syncAnswers: SyncAnswers | undefined;
  #launcherProgram: string | undefined;
  #watches: Promise<HelperWatches> | undefined;
  #onWaiting: (() => void) | undefined;

  readonly #ready: FromHelper;

  constructor(send: (blocks: readonly Uint8Array[]) => void, { isCompiledAnew = false } = {}) {
    this.#send = send;
    this.#ready = isCompiledAnew ? { type: 'ready', isCompiledAnew } : { type: 'ready' };
  }

  /** Throws for what no server of ours sends; the helper ends then. */
  push(block: Buffer): void {
    this.#reader.push(block);
    this.#guard?.renewMounts();
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  get isCrowded(): boolean {
    return this.#running.size > 1 || this.#watches !== undefined;
  }

  untilWaiting(): Promise<void> {
    return new Promise((resolve) => {
      this.#onWaiting = resolve;
      if (!this.isBusy || this.#hasRequestForRoom()) resolve();
    });
  }

  #hasRequestForRoom(): boolean {
    return [...this.#running.values()].some(({ hasRoom }) => hasRoom !== undefined);
  }

  #receive({ header, payload }: Frame): void {
    const message = header as ToHelper;
    if (message.type === 'policy') this.#adopt(message);
    else if (this.#operations === undefined)
      throw new HelperProtocolError('a request came before the policy');
    else if (message.type === 'call') this.#answer(message, payload, this.#operations);
    else if (message.type === 'room') this.#running.get(message.id)?.hasRoom?.();
    else if (message.type === 'cancel') this.#running.get(message.id)?.abort.abort();
    else this.#reply({ type: 'pong' });
  }

  #adopt({ policy, places, launcherProgram }: Extract<ToHelper, { type: 'policy' }>): void {
    if (this.#operations !== undefined) throw new HelperProtocolError('a second policy');
    const swapped = swappedPlace(places);
    if (swapped !== undefined)
      throw new HelperProtocolError(`${swapped} was replaced while the sandbox was made`);
    if (process.platform === 'linux') {
      if (!hasDescriptorPaths) throw new HelperProtocolError('there is no /proc to check paths with');
      this.#guard = new PolicyGuard(policy);
      this.#syncAnswers = new SyncAnswers(this.#guard);
    }
    this.#operations = operationsOn(createLocalFileSystem(this.#guard?.calls ?? new FileCalls()));
    this.#launcherProgram = launcherProgram;
    this.#reply(this.#ready);
  }

  #answer(message: Call, payload: Uint8Array, operations: Operations): void {
    const { id, operation, args } = message;
    const outcome = this.#syncAnswers?.answer(operation, args, payload);
    if (outcome === undefined) void this.#call(message, payload, operations);
    else this.#reply({ type: 'result', id, result: outcome.result }, outcome.payload);
  }

  async #call(message: Call, payload: Uint8Array, operations: Operations): Promise<void> {
    const { id, operation } = message;
    const running: Running = { abort: new AbortController() };
    this.#running.set(id, running);
    const context: CallContext = {
      payload,
      signal: running.abort.signal,
      files: this.#files,
      watches: () => {
        this.#watches ??= this.#loadWatches();
        return this.#watches;
      },
      reserve: (bytes) =>
        new Promise((resolve) => {
          running.hasRoom = () => {
            delete running.hasRoom;
            resolve();
          };
          this.#reply({ type: 'size', id, bytes });
          this.#onWaiting?.();
        }),
    };
    try {
      const act = operations[operation] as (
        args: object,
        context: CallContext,
      ) => Promise<Outcome | undefined>;
      const outcome = await act(message.args, context);
      this.#reply({ type: 'result', id, result: outcome?.result }, outcome?.payload);
    } catch (error) {
      this.#reply({ type: 'failure', id, failure: describe(error) });
    } finally {
      this.#running.delete(id);
      if (!this.isBusy) this.#onWaiting?.();
    }
  }

  async #loadWatches(): Promise<HelperWatches> {
    const guard = this.#guard;
    if (guard === undefined) throw otherError('files are watched in a sandbox on Linux only');
    const { HelperWatches: Watches } = await import('./watch/helper-watches.js');
    return new Watches({
      guard,
      launcherProgram: this.#launcherProgram,
      send: (watch, news) => this.#reply({ type: 'watch', watch, news }),
    });
  }

  #reply(message: FromHelper, payload?: Uint8Array): void {
    this.#send(encodeFrame(message, payload));
  }
}

function describe(error: unknown): WireFailure {
  if (error instanceof TooLarge) return { ...wireFailure(error.failure), tooLarge: error.size };
  return wireFailure(toFsError(error));
}

function wireFailure(error: FsError): WireFailure {
  const { code, message, errno } = error;
  return { code, message, ...(errno === undefined ? {} : { errno }) };
}
