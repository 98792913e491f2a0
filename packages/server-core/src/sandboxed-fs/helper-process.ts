// One helper process in its sandbox, seen from the server: requests go out, answers come back in any order, and its end
// fails what is still waiting.
import type { Buffer } from 'node:buffer';
import type { LaunchedProcess, Launcher } from '@codex/launcher';
import type { PreparedSandbox } from '@codex/sandbox';
import type { Clock, Timer } from '../clock.js';
import { FsError, toFsError } from '../fs/fs-error.js';
import { encodeFrame, type Frame, FrameReader } from './frames.js';
import { HelperLostError } from './helper-lost-error.js';
import type { FromHelper, OperationName, ToHelper, WireFailure } from './helper-messages.js';
import type { PolicyView } from './policy-view.js';

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

export interface HelperProcessOptions {
  readonly launcher: Launcher;
  readonly prepared: PreparedSandbox;
  readonly view: Pick<PolicyView, 'guard' | 'places'>;
  readonly clock: Clock;
  /** How long a helper with work may be silent. */
  readonly timeoutMs: number;
}

const SHOWN_OUTPUT = 512;
/** For a machine that is very busy: until the helper runs, its silence says nothing. */
const START_PATIENCE_MS = 60_000;

export class HelperProcess {
  readonly #options: HelperProcessOptions;
  readonly #process: LaunchedProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #reader = new FrameReader((frame) => this.#receive(frame));
  /** Resolves when nothing of it is left. */
  readonly gone: Promise<void>;
  #nextId = 1;
  #isReady = false;
  #lost: HelperLostError | undefined;
  #complaint = '';
  #heard = true;
  #health: Timer | undefined;

  private constructor(options: HelperProcessOptions, process: LaunchedProcess) {
    this.#options = options;
    this.#process = process;
    const [output, errors] = process.outputs;
    output?.start(
      (block) => this.#read(block),
      () => undefined,
    );
    errors?.start(
      (block) => {
        this.#complaint = (this.#complaint + block.toString('utf8')).slice(-SHOWN_OUTPUT);
      },
      () => undefined,
    );
    this.gone = this.#untilGone();
    const { guard, places } = options.view;
    this.#send({ type: 'policy', policy: guard, places });
  }

  static async start(options: HelperProcessOptions): Promise<HelperProcess> {
    const { launcher, prepared } = options;
    const { argv, arg0, cwd, env, inheritFds, restrict } = prepared;
    try {
      const process = await launcher.launch({
        argv,
        ...(arg0 === undefined ? {} : { arg0 }),
        cwd,
        env,
        inheritFds,
        ...(restrict === undefined ? {} : { restrict }),
        io: { type: 'pipe', stdin: 'open' },
      });
      prepared.started({ pid: process.pid });
      return new HelperProcess(options, process);
    } catch (error) {
      await prepared.finish().cleanup;
      throw error;
    }
  }

  get pid(): number {
    return this.#process.pid;
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  get inFlight(): number {
    return this.#waiting.size;
  }

  call(call: HelperCall): Promise<HelperAnswer> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const id = this.#nextId++;
    return new Promise<HelperAnswer>((resolve, reject) => {
      const cancel = (): void => this.#send({ type: 'cancel', id });
      const settle = (): void => {
        this.#waiting.delete(id);
        call.signal?.removeEventListener('abort', cancel);
        if (this.#waiting.size === 0) this.#stopWatching();
      };
      this.#waiting.set(id, {
        call,
        resolve: (answer) => {
          settle();
          resolve(answer);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      call.signal?.addEventListener('abort', cancel, { once: true });
      this.#send({ type: 'call', id, operation: call.operation, args: call.args }, call.payload);
      this.#watch();
    });
  }

  /** Ends it at once; what is waiting fails. */
  end(reason = 'it was ended by the server'): void {
    this.#lose(reason);
    this.#process.killTree();
  }

  #send(message: ToHelper, payload?: Uint8Array): void {
    for (const block of encodeFrame(message, payload)) {
      this.#process.input?.write(block).catch(() => this.#lose('it does not read its input'));
    }
  }

  #read(block: Buffer): void {
    if (this.#lost !== undefined) return;
    this.#heard = true;
    try {
      this.#reader.push(block);
    } catch {
      this.end('it answered something that makes no sense');
    }
  }

  #receive({ header, payload }: Frame): void {
    const message = header as FromHelper;
    if (message.type === 'ready') this.#becomeReady();
    else if (message.type === 'size') void this.#makeRoom(message.id, message.bytes);
    else if (message.type === 'result') {
      this.#waitingFor(message.id).resolve({ result: message.result, payload });
    } else if (message.type === 'failure') {
      const waiting = this.#waitingFor(message.id);
      waiting.reject(failureOf(message.failure, waiting.call));
    } else if ((message as { type: unknown }).type !== 'pong') throw new RangeError('an unknown answer');
  }

  #becomeReady(): void {
    this.#isReady = true;
    this.#stopWatching();
    if (this.#waiting.size > 0) this.#watch();
  }

  #waitingFor(id: number): Waiting {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) throw new RangeError('an answer to nothing');
    return waiting;
  }

  async #makeRoom(id: number, bytes: number): Promise<void> {
    const waiting = this.#waitingFor(id);
    try {
      await waiting.call.reserve?.(bytes);
    } catch (error) {
      waiting.reject(toFsError(error));
      // The helper goes on and answers; nobody waits for it any more.
      if (this.#lost === undefined)
        this.#waiting.set(
          id,
          nobody(waiting.call, () => this.#waiting.delete(id)),
        );
    }
    this.#send({ type: 'room', id });
  }

  #lose(reason: string): void {
    if (this.#lost !== undefined) return;
    const said = this.#complaint.trim();
    const why = said === '' ? reason : `${reason}: ${said}`;
    this.#lost = this.#isReady
      ? new HelperLostError('FILE_HELPER_ENDED', `the sandboxed file helper was lost: ${why}`)
      : new HelperLostError('FILE_HELPER_START', `the file sandbox could not be started: ${why}`);
    this.#stopWatching();
    for (const waiting of [...this.#waiting.values()]) waiting.reject(this.#lost);
  }

  async #untilGone(): Promise<void> {
    const exit = await this.#process.exited;
    // What it said before it ended explains the end; the pipes are read to their end within a turn.
    await new Promise((resolve) => setImmediate(resolve));
    this.#lose(exit.signal === null ? `it ended with code ${exit.code}` : `it was ended by ${exit.signal}`);
    await this.#process.treeGone;
    await this.#options.prepared.finish(exit).cleanup;
  }

  /** While something is waiting, the helper has to give a sign of life in every period. */
  #watch(): void {
    if (this.#health !== undefined) return;
    this.#heard = true;
    this.#schedule();
  }

  #schedule(): void {
    const patience = this.#isReady ? this.#options.timeoutMs / 2 : START_PATIENCE_MS / 2;
    this.#health = this.#options.clock.schedule(patience, () => {
      if (!this.#heard) return this.end('it did not answer in time');
      this.#heard = false;
      this.#send({ type: 'ping' });
      this.#schedule();
    });
  }

  #stopWatching(): void {
    this.#health?.cancel();
    this.#health = undefined;
  }
}

function nobody(call: HelperCall, settle: () => void): Waiting {
  return { call, resolve: settle, reject: settle };
}

function failureOf({ code, message, errno, tooLarge }: WireFailure, call: HelperCall): FsError {
  if (tooLarge !== undefined && call.tooLarge !== undefined) return call.tooLarge(tooLarge);
  return new FsError(code, message, { details: errno === undefined ? {} : { errno } });
}
