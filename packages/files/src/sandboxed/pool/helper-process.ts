// One helper process in its sandbox, seen from the server: requests go out, answers come back in any order, and its end
// fails what is still waiting.

import type { Buffer } from 'node:buffer';
import type { Clock, Timer } from '@codex/exec-protocol';
import type { LaunchedProcess, Launcher } from '@codex/launcher';
import { launchSpec, type PreparedSandbox } from '@codex/sandbox';
import { encodeFrame, type Frame, FrameReader } from '../../helper-protocol/frames.js';
import type { FromHelper, ToHelper, WatchNews } from '../../helper-protocol/helper-messages.js';
import { HelperProtocolError } from '../../helper-protocol/helper-protocol-error.js';
import { HelperHealth } from './helper-health.js';
import { HelperLostError } from './helper-lost-error.js';
import type { HelperPolicy } from './helper-policy.js';
import { type HelperAnswer, type HelperCall, PendingCalls } from './pending-calls.js';

/** Of one watch in a helper. */
export interface WatchListener {
  news(news: WatchNews): void;
  /** The helper is lost, and the watch with it. */
  lost(): void;
}

export interface HelperProcessOptions {
  readonly launcher: Launcher;
  readonly prepared: PreparedSandbox;
  readonly policy: Pick<HelperPolicy, 'guard' | 'places'>;
  readonly launcherProgram: string | undefined;
  readonly clock: Clock;
  /** How long a helper with work may be silent. */
  readonly timeoutMs: number;
  /** It has told that V8 compiled its program, where an earlier run could have left that. */
  readonly onCompiledAnew?: () => void;
}

const SHOWN_OUTPUT = 512;
/** How long the reason of a helper's end, its exit or its last words, may take to arrive. */
const EXPLANATION_WAIT_MS = 1000;

export class HelperProcess {
  readonly #options: HelperProcessOptions;
  readonly #process: LaunchedProcess;
  readonly #calls = new PendingCalls();
  readonly #reader = new FrameReader((frame) => this.#receive(frame));
  /** Resolves when nothing of it is left. */
  readonly gone: Promise<void>;
  readonly #listeners = new Map<number, WatchListener>();
  readonly #health: HelperHealth;
  readonly #settled = (): void => this.#restIfIdle();
  #nextId = 1;
  #lost: HelperLostError | undefined;
  #complaint = '';
  readonly #saidEverything: Promise<unknown>;
  #explanationWait: Timer | undefined;

  private constructor(options: HelperProcessOptions, process: LaunchedProcess) {
    this.#options = options;
    this.#process = process;
    this.#health = new HelperHealth({
      clock: options.clock,
      timeoutMs: options.timeoutMs,
      ping: () => this.#send({ type: 'ping' }),
      onSilence: () => this.end('it did not answer in time'),
    });
    const [output, errors] = process.outputs;
    this.#saidEverything = Promise.all([
      new Promise<void>((ended) => output?.start((block) => this.#read(block), ended)),
      new Promise<void>((ended) => errors?.start((block) => this.#takeComplaint(block), ended)),
    ]);
    this.gone = this.#untilGone();
    const { guard, places } = options.policy;
    const { launcherProgram } = options;
    this.#send({
      type: 'policy',
      policy: guard,
      places,
      ...(launcherProgram === undefined ? {} : { launcherProgram }),
    });
  }

  static async start(options: HelperProcessOptions): Promise<HelperProcess> {
    const { launcher, prepared } = options;
    try {
      const io = { type: 'pipe', stdin: 'open' } as const;
      // What somebody outside takes away from its sandbox does not end it: the next request gets another helper (policy-fingerprint.ts), what
      // is under way is judged by the guard, and open files stay open.
      const process = await launcher.launch({ ...launchSpec(prepared, { io }), keptMounts: [] });
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
    return this.#calls.size;
  }

  call(call: HelperCall): Promise<HelperAnswer> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const id = this.#nextId++;
    const answer = this.#calls.add(id, call, this.#cancelledBy(call.signal, id));
    this.#send({ type: 'call', id, operation: call.operation, args: call.args }, call.payload);
    this.#health.watch();
    return answer;
  }

  /** Gives a number for a watch, whose news go to `listener` until `unsubscribe`. */
  subscribe(listener: WatchListener): number {
    const watch = this.#nextId++;
    this.#listeners.set(watch, listener);
    this.#health.watch();
    return watch;
  }

  unsubscribe(watch: number): void {
    this.#listeners.delete(watch);
    this.#restIfIdle();
  }

  /** Ends it at once; what is waiting fails. */
  end(reason = 'it was ended by the server'): void {
    this.#lose(reason);
    this.#process.killTree();
  }

  /** Cancels the call when its caller does; the result is what to do when the call is settled. */
  #cancelledBy(signal: AbortSignal | undefined, id: number): () => void {
    if (signal === undefined) return this.#settled;
    const cancel = (): void => this.#send({ type: 'cancel', id });
    signal.addEventListener('abort', cancel, { once: true });
    return () => {
      signal.removeEventListener('abort', cancel);
      this.#settled();
    };
  }

  #send(message: ToHelper, payload?: Uint8Array): void {
    for (const block of encodeFrame(message, payload)) {
      this.#process.input?.write(block).catch(() => this.#loseUnlessExplained());
    }
  }

  /** A helper that has ended takes no input either. Its exit, or what it said, is the reason then, and follows at once. */
  #loseUnlessExplained(): void {
    if (this.#lost !== undefined || this.#explanationWait !== undefined) return;
    const giveUp = (): void => this.end('it does not read its input');
    this.#explanationWait = this.#options.clock.schedule(EXPLANATION_WAIT_MS, giveUp);
  }

  #untilSaidEverything(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#options.clock.schedule(EXPLANATION_WAIT_MS, resolve);
      void this.#saidEverything.then(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  #takeComplaint(block: Buffer): void {
    this.#complaint = (this.#complaint + block.toString('utf8')).slice(-SHOWN_OUTPUT);
  }

  #read(block: Buffer): void {
    if (this.#lost !== undefined) return;
    this.#health.heard();
    try {
      this.#reader.push(block);
    } catch {
      this.end('it answered something that makes no sense');
    }
  }

  #receive({ header, payload }: Frame): void {
    const message = header as FromHelper;
    if (message.type === 'ready') {
      this.#health.becomeReady();
      if (message.isCompiledAnew === true) this.#options.onCompiledAnew?.();
    } else if (message.type === 'size') {
      const { id } = message;
      void this.#calls.reserve(id, message.bytes).then(() => this.#send({ type: 'room', id }));
    } else if (message.type === 'result') {
      this.#calls.answer(message.id, { result: message.result, payload });
    } else if (message.type === 'failure') {
      this.#calls.fail(message.id, message.failure);
    } else if (message.type === 'watch') {
      // It may cross with the end of the watch.
      this.#listeners.get(message.watch)?.news(message.news);
    } else if ((message as { type: unknown }).type !== 'pong')
      throw new HelperProtocolError('an unknown answer');
  }

  #restIfIdle(): void {
    if (this.#calls.size === 0 && this.#listeners.size === 0) this.#health.rest();
  }

  #lose(reason: string): void {
    if (this.#lost !== undefined) return;
    this.#explanationWait?.cancel();
    const said = this.#complaint.trim();
    const why = said === '' ? reason : `${reason}: ${said}`;
    this.#lost = this.#health.isReady
      ? new HelperLostError('FILE_HELPER_ENDED', `the sandboxed file helper was lost: ${why}`)
      : new HelperLostError('FILE_HELPER_START', `the file sandbox could not be started: ${why}`);
    this.#calls.failAll(this.#lost);
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    this.#health.stop();
    for (const listener of listeners) listener.lost();
  }

  async #untilGone(): Promise<void> {
    const exit = await this.#process.exited;
    // What it said before it ended explains the end. A pipe that something else holds open is not waited for.
    await this.#untilSaidEverything();
    this.#lose(exit.signal === null ? `it ended with code ${exit.code}` : `it was ended by ${exit.signal}`);
    await this.#process.treeGone;
    await this.#options.prepared.finish(exit).cleanup;
  }
}
