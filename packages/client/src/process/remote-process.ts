// A process on the server. The handle is not awaitable: `wait`, `result` and the windows say what is waited for.

import type { ProcessSignal } from '@codex/exec-protocol';
import type { Capabilities } from '../capabilities.js';
import { ExecServerError } from '../exec-server-error.js';
import type { Outcome, Result } from '../result.js';
import type { SessionLink } from '../session/session-link.js';
import type { Input, StopPolicy } from '../spawn-options.js';
import { ProcessControl } from './control/process-control.js';
import { ProcessStdin, type Stdin, type StdinMode } from './control/process-stdin.js';
import type { StopCause } from './end/process-outcome.js';
import { resultOf } from './end/process-result.js';
import { readEvents } from './events/event-iteration.js';
import { type Cursor, cursorAt, type ProcessEvent } from './events/process-event.js';
import type { ProcessFeed } from './events/process-feed.js';
import type { ExecProcess } from './exec-backend.js';
import { type OutputView, ProcessOutputView, type ReadOptions } from './output/output-view.js';
import type { TextMatch } from './output/text-scanner.js';
import { checkCallOptions, checkDuration, checkPattern, checkPort } from './process-option-rules.js';
import { type OutcomeOptions, ProcessWaits, type TextOptions } from './wait/process-waits.js';
import type { WaitOptions } from './wait/wait-condition.js';
import { type PortOptions, waitForPort } from './wait/wait-for-port.js';
import { ProcessWindows } from './window/process-windows.js';
import type { YieldResult, YieldWindow } from './window/yield-window.js';

/** Enough to take a process up again; it survives JSON. */
export interface ProcessRef {
  readonly v: 1;
  readonly sessionId: string;
  readonly processId: string;
  readonly cursor: Cursor;
}

export interface RemoteProcessParts {
  readonly link: SessionLink;
  readonly feed: ProcessFeed;
  readonly capabilities: Capabilities;
  readonly command: string;
  readonly cwd: string;
  readonly stdinMode: StdinMode;
  readonly stop: StopPolicy;
  readonly startedAtMs: number;
  /** Stops listening: the caller has detached the process. */
  release(): void;
  /** Reads a file of the server, for looking at its open ports. */
  readFile(path: string): Promise<Uint8Array>;
}

export class RemoteProcess implements ExecProcess, AsyncDisposable {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly tty: boolean;
  readonly startedAt = new Date();
  readonly stdin: Stdin;
  readonly stdout: OutputView;
  readonly stderr: OutputView;
  /** Both streams, or the terminal, in the order of arrival. */
  readonly output: OutputView;

  readonly #parts: RemoteProcessParts;
  readonly #stdin: ProcessStdin;
  readonly #control: ProcessControl;
  readonly #waits: ProcessWaits;
  readonly #windows: ProcessWindows;
  #isDetached = false;

  constructor(parts: RemoteProcessParts) {
    const { feed } = parts;
    this.#parts = parts;
    this.id = feed.processId;
    this.command = parts.command;
    this.cwd = parts.cwd;
    this.tty = parts.stdinMode === 'tty';
    this.#stdin = new ProcessStdin({ ...parts, mode: parts.stdinMode });
    this.#control = new ProcessControl(parts);
    this.#waits = new ProcessWaits(feed);
    this.#windows = new ProcessWindows(feed);
    this.stdin = this.#stdin;
    this.stdout = new ProcessOutputView(feed, (stream) => stream !== 'stderr');
    this.stderr = new ProcessOutputView(feed, (stream) => stream === 'stderr');
    this.output = new ProcessOutputView(feed, () => true);
  }

  get state(): 'running' | 'exited' | 'closed' | 'lost' {
    const { feed } = this.#parts;
    if (feed.closed) return 'closed';
    if (feed.exit !== undefined) return 'exited';
    return feed.lost === undefined ? 'running' : 'lost';
  }

  get exitCode(): number | undefined {
    return this.#parts.feed.exit?.exitCode;
  }

  /** Everything that happens, in order, until the output is over. */
  events(options: ReadOptions = {}): AsyncIterableIterator<ProcessEvent> {
    checkCallOptions('events', options);
    return readEvents(this.#parts.feed, options);
  }

  [Symbol.asyncIterator](): AsyncIterator<ProcessEvent> {
    return this.events();
  }

  /** The outcome, when the process has ended and its output is in. Throws `process.waitTimeout`; it runs on. */
  async wait(options: OutcomeOptions = {}): Promise<Outcome> {
    checkCallOptions('wait', options);
    return this.#waits.outcome(options);
  }

  /** Waits for text, each time behind the last match; the first time from the beginning. */
  async waitFor(pattern: string | RegExp, options: TextOptions = {}): Promise<TextMatch> {
    checkPattern(pattern);
    checkCallOptions('waitFor', options);
    return this.#waits.text(pattern, options);
  }

  /** Waits until something on the server's machine listens on a TCP port. */
  async waitForPort(port: number, options: PortOptions = {}): Promise<void> {
    checkPort(port);
    checkCallOptions('waitForPort', options);
    const { feed, readFile } = this.#parts;
    await waitForPort({ ...options, feed, readFile, port });
  }

  /** Waits until there was no output for a while. */
  async waitForQuiet(ms: number, options: WaitOptions = {}): Promise<void> {
    checkDuration('waitForQuiet', ms);
    checkCallOptions('waitForQuiet', options);
    await this.#windows.waitForQuiet(ms, options);
  }

  /** Sends all of the input and its end, and collects the result. */
  async communicate(input?: Input, options: WaitOptions = {}): Promise<Result> {
    checkCallOptions('communicate', options);
    const { stdinMode, capabilities } = this.#parts;
    if (stdinMode === 'pipe') capabilities.require('stdin.end', 'Ending the input of a running process');
    const sent = this.sendInput(input);
    if (stdinMode === 'none') await sent;
    // A command that does not read its input to the end is no failure of this call.
    sent.catch(() => undefined);
    await this.wait(options);
    return this.peek();
  }

  /** Collects output for a while; goes on where the last window ended. */
  yieldWindow(window: YieldWindow): Promise<YieldResult> {
    return this.#windows.collect(window);
  }

  /** Writes and then collects. Interactions with one process go one after the other. */
  async interact(input: string | Uint8Array, window: YieldWindow): Promise<YieldResult> {
    checkCallOptions('interact', window);
    const write = async (): Promise<void> => {
      if (input.length > 0) await this.stdin.write(input);
    };
    return this.#windows.takeTurn(write, window);
  }

  /** The result, when the process has ended and its output is in. */
  async result(): Promise<Result> {
    await this.#parts.feed.settled;
    return this.peek();
  }

  /** The result as far as it is known; throws while the process runs. */
  peek(): Result {
    return resultOf(this.#parts.feed, this.#parts);
  }

  /** SIGINT to the process group, as Ctrl-C does. */
  interrupt(): Promise<void> {
    return this.#control.signal('interrupt');
  }

  /** Signals besides the interrupt need `signal.any`. */
  signal(name: ProcessSignal): Promise<void> {
    return this.#control.signal(name);
  }

  /** Kills the process tree without asking it. */
  terminate(): Promise<{ readonly wasRunning: boolean }> {
    return this.#control.terminate();
  }

  /** Interrupt, grace period, kill, confirm: ends in bounded time. */
  async stop(policy: StopPolicy = {}): Promise<Outcome> {
    checkCallOptions('stop', policy);
    await this.#control.stopBecause({ kind: 'terminated' }, policy);
    return this.wait();
  }

  /** As `stop`, with another reason in the outcome. */
  stopBecause(cause: StopCause): Promise<void> {
    return this.#control.stopBecause(cause);
  }

  /** Needs `pty.resize`. */
  async resize(size: { readonly rows: number; readonly cols: number }): Promise<void> {
    checkCallOptions('resize', size);
    return this.#control.resize(size);
  }

  /**
   * Lets go: neither dispose nor close() ends the process. For this handle it is lost from here on, so that pending
   * waits end.
   */
  detach(): ProcessRef {
    const { feed, link } = this.#parts;
    this.#isDetached = true;
    link.keepSession();
    this.#parts.release();
    const message = `process ${this.id} was detached from this handle`;
    feed.fail(new ExecServerError('closed', message, { details: { operation: 'detach' } }));
    return { v: 1, sessionId: link.sessionId, processId: this.id, cursor: cursorAt(feed.log.lastSeq) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDetached) return;
    await this.#control.stopBecause({ kind: 'terminated' });
    void this.#parts.feed.settled.then(() => this.#parts.release());
  }

  /** Sends input and its end. A source that fails stops the process: it would wait for the rest for ever. */
  async sendInput(input: Input | undefined): Promise<void> {
    const stop = (reason: unknown): void => void this.#control.stopBecause({ kind: 'aborted', reason });
    if (input !== undefined) await this.#stdin.writeAll(input, stop);
    await this.#stdin.end();
  }
}
