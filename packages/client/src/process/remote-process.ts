// A process on the server. The handle is not awaitable: `wait`, `result` and the windows say what is waited for.

import type { ProcessSignal } from '@codex/exec-protocol';
import type { Capabilities } from '../capabilities.js';
import type { ExecProcess } from '../exec-backend.js';
import { ExecServerError, invalidArgument } from '../exec-server-error.js';
import type { Outcome, Result, StreamName } from '../result.js';
import { RunResult } from '../run/run-result.js';
import type { SessionLink } from '../session/session-link.js';
import { readEvents, startSeq } from './event-iteration.js';
import type { LogReader } from './event-log.js';
import { type OutputView, ProcessOutputView, type ReadOptions } from './output-view.js';
import { type Cursor, cursorAt, type ProcessEvent } from './process-event.js';
import type { ProcessFeed } from './process-feed.js';
import type { StopCause } from './process-outcome.js';
import { ProcessStdin, type Stdin, type StdinMode } from './process-stdin.js';
import type { Input, StopPolicy } from './spawn-options.js';
import { stopProcess } from './stop-ladder.js';
import { type TextMatch, TextScanner } from './text-scanner.js';
import { type WaitOptions, waitUntil } from './wait-condition.js';
import { type PortOptions, waitForPort } from './wait-for-port.js';
import { collectWindow, type YieldResult, type YieldWindow } from './yield-window.js';

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
  /** Stop listening: the process is somebody else's from here on. */
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
  readonly #scanners = new Map<StreamName | undefined, TextScanner>();
  #windowReader: LogReader | undefined;
  #lastInteraction: Promise<unknown> = Promise.resolve();
  #stopping: Promise<void> | undefined;
  #detached = false;

  constructor(parts: RemoteProcessParts) {
    const { feed } = parts;
    this.#parts = parts;
    this.id = feed.processId;
    this.command = parts.command;
    this.cwd = parts.cwd;
    this.tty = parts.stdinMode === 'tty';
    this.#stdin = new ProcessStdin({
      link: parts.link,
      feed,
      capabilities: parts.capabilities,
      mode: parts.stdinMode,
    });
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
    return readEvents(this.#parts.feed, options);
  }

  [Symbol.asyncIterator](): AsyncIterator<ProcessEvent> {
    return this.events();
  }

  /**
   * The outcome, as soon as the process has ended and its output is in; `exited` does not wait for output, `closed`
   * waits until nobody holds it open. Throws `process.waitTimeout`; the process runs on.
   */
  async wait(options: WaitOptions & { readonly until?: 'exited' | 'closed' } = {}): Promise<Outcome> {
    const { feed } = this.#parts;
    const reached = (): boolean => {
      if (feed.lost !== undefined) return true;
      if (options.until === 'exited') return !feed.isRunning;
      return options.until === 'closed' ? feed.closed || (feed.isSettled && !feed.exit) : feed.isSettled;
    };
    const poll = (): Outcome | undefined => (reached() ? feed.outcome : undefined);
    return waitUntil({
      ...options,
      feed,
      condition: 'the end of the process',
      poll,
      endsWithProcess: false,
    });
  }

  /** Waits for text, each time behind the last match; the first time from the beginning. */
  async waitFor(
    pattern: string | RegExp,
    options: WaitOptions & { readonly stream?: StreamName; readonly from?: ReadOptions['from'] } = {},
  ): Promise<TextMatch> {
    const scanner = this.#scanner(options.stream, options.from);
    const poll = (): TextMatch | undefined => scanner.find(pattern);
    return waitUntil({
      ...options,
      feed: this.#parts.feed,
      condition: `the output ${String(pattern)}`,
      poll,
    });
  }

  /** Waits until something on the server's machine listens on a TCP port. */
  async waitForPort(port: number, options: PortOptions = {}): Promise<void> {
    const { feed, readFile } = this.#parts;
    await waitForPort({ ...options, feed, readFile, port });
  }

  /** Waits until there was no output for a while. */
  async waitForQuiet(ms: number, { timeoutMs, signal }: WaitOptions = {}): Promise<void> {
    const result = await this.yieldWindow({
      ms: timeoutMs ?? Number.POSITIVE_INFINITY,
      idleMs: ms,
      from: cursorAt(this.#parts.feed.log.lastSeq),
      ...(signal === undefined ? {} : { signal }),
    });
    if (result.state === 'running' && result.endedBy === 'deadline') {
      const details = { processId: this.id, condition: `${ms} ms without output`, tail: result.output.text };
      throw new ExecServerError('process.waitTimeout', `it was not quiet for ${ms} ms in time`, { details });
    }
  }

  /** Sends all of the input and its end, and collects the result. */
  async communicate(input?: Input, options: WaitOptions = {}): Promise<Result> {
    if (this.#parts.stdinMode !== 'tty') {
      this.#parts.capabilities.require('stdin.end', 'Ending the input of a running process');
    }
    const sent = this.#sendAll(input);
    // A command that does not read its input to the end is no failure of this call.
    sent.catch(() => undefined);
    await this.wait(options);
    return this.peek();
  }

  /** Collects output for a while; see YieldWindow. Goes on where the last window ended. */
  async yieldWindow(window: YieldWindow): Promise<YieldResult> {
    const { feed } = this.#parts;
    if (!(window.ms >= 0)) throw invalidArgument('ms', `a window has a length in ms, not ${window.ms}`);
    this.#windowReader ??= feed.log.reader();
    const reader =
      window.from === undefined ? this.#windowReader : feed.log.reader(startSeq(window.from, feed));
    return collectWindow(feed, reader, window);
  }

  /** Writes and then collects. Interactions with one process go one after the other. */
  interact(input: string | Uint8Array, window: YieldWindow): Promise<YieldResult> {
    const turn = this.#lastInteraction.then(async () => {
      if (input.length > 0) await this.stdin.write(input);
      return this.yieldWindow(window);
    });
    this.#lastInteraction = turn.catch(() => undefined);
    return turn;
  }

  /** The result, when the process has ended and its output is in. */
  async result(): Promise<Result> {
    await this.#parts.feed.settled;
    return this.peek();
  }

  /** The result as far as it is known; throws while the process runs. */
  peek(): Result {
    const { feed, startedAtMs } = this.#parts;
    const { outcome } = feed;
    if (outcome === undefined) {
      throw new ExecServerError(
        'argument.invalid',
        'the process still runs; use yieldWindow() to look at it',
        {
          details: { argument: 'peek' },
        },
      );
    }
    return new RunResult({
      outcome,
      stdout: feed.stdout.snapshot(),
      stderr: feed.stderr.snapshot(),
      output: feed.output.snapshot(),
      command: this.command,
      cwd: this.cwd,
      durationMs: (feed.exit?.at ?? feed.clock.now()) - startedAtMs,
      processId: this.id,
      pipesHeldOpen: feed.pipesHeldOpen,
    });
  }

  /** SIGINT to the process group, as Ctrl-C does. */
  async interrupt(): Promise<void> {
    await this.#signal('interrupt');
  }

  async signal(name: ProcessSignal): Promise<void> {
    if (name !== 'interrupt' && name !== 'SIGINT') {
      this.#parts.capabilities.require('signal.any', `Sending ${name}`);
    }
    await this.#signal(name === 'SIGINT' ? 'interrupt' : name);
  }

  /** Kills the process tree without asking it. */
  async terminate(): Promise<{ readonly wasRunning: boolean }> {
    const { link, feed } = this.#parts;
    feed.stopping({ kind: 'terminated' });
    const { running } = await link.call(
      'process/terminate',
      { processId: this.id },
      { repeatable: true, control: true },
    );
    return { wasRunning: running };
  }

  /** Interrupt, grace period, kill, confirm: ends in bounded time. */
  async stop(policy: StopPolicy = {}): Promise<Outcome> {
    await this.stopBecause({ kind: 'terminated' }, policy);
    return this.wait();
  }

  /** The ladder behind timeouts and abort signals; the first cause counts. */
  stopBecause(cause: StopCause, policy: StopPolicy = {}): Promise<void> {
    const { feed } = this.#parts;
    this.#stopping ??= stopProcess({
      feed,
      clock: feed.clock,
      policy: { ...this.#parts.stop, ...policy },
      cause,
      requests: { interrupt: () => this.interrupt(), terminate: () => this.terminate() },
    });
    return this.#stopping;
  }

  async resize(size: { readonly rows: number; readonly cols: number }): Promise<void> {
    this.#parts.capabilities.require('pty.resize', 'Resizing a terminal');
    await this.#parts.link.call('process/resize', { processId: this.id, ...size }, { repeatable: true });
  }

  /**
   * Lets go: neither dispose nor close() ends the process. For this handle it is lost from here on, so that nobody
   * waits on it for ever.
   */
  detach(): ProcessRef {
    const { feed, link } = this.#parts;
    this.#detached = true;
    this.#parts.release();
    const message = `process ${this.id} was detached from this handle`;
    feed.fail(new ExecServerError('closed', message, { details: { operation: 'detach' } }));
    return { v: 1, sessionId: link.sessionId, processId: this.id, cursor: cursorAt(feed.log.lastSeq) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#detached) return;
    await this.stopBecause({ kind: 'terminated' });
    this.#parts.release();
  }

  /** Called with everything that was written; returns how to stop that. */
  onInput(listener: (bytes: Uint8Array) => void): () => void {
    return this.#stdin.onWritten(listener);
  }

  /** Sends input and its end; what cannot be sent because the process ended is no failure. */
  async sendInput(input: Input | undefined): Promise<void> {
    await this.#sendAll(input);
  }

  async #sendAll(input: Input | undefined): Promise<void> {
    if (input !== undefined) await this.#stdin.writeAll(input);
    await this.#stdin.end();
  }

  async #signal(signal: ProcessSignal): Promise<void> {
    await this.#parts.link.call('process/signal', { processId: this.id, signal }, { control: true });
  }

  #scanner(stream: StreamName | undefined, from: ReadOptions['from']): TextScanner {
    const { feed } = this.#parts;
    const known = from === undefined ? this.#scanners.get(stream) : undefined;
    const scanner = known ?? new TextScanner(feed.log.reader(startSeq(from, feed)), stream);
    this.#scanners.set(stream, scanner);
    return scanner;
  }
}
