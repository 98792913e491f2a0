// The client: a session with one exec-server, its processes and its files.

import type { ClientRequestMethod, EnvironmentInfo, ParamsOf, ResultOf } from '@codex/exec-protocol';
import { Capabilities, type Capability } from './capabilities.js';
import { ExecServerError, invalidArgument } from './exec-server-error.js';
import { RemoteFs } from './fs/remote-fs.js';
import { WatchRegistry } from './fs/watch-registry.js';
import { Approvals } from './observe/approvals.js';
import { checkMethod, checkProcessRef } from './options/argument-rules.js';
import { checkAttachOptions, checkSpawnOptions } from './options/spawn-option-rules.js';
import { seqOfCursor } from './process/events/process-event.js';
import type { ProcessFeed } from './process/events/process-feed.js';
import { ProcessRegistry } from './process/events/process-registry.js';
import type { ExecBackend } from './process/exec-backend.js';
import { type ProcessEntry, processEntry } from './process/process-entry.js';
import { checkCallOptions } from './process/process-option-rules.js';
import type { ProcessRef, RemoteProcess } from './process/remote-process.js';
import { attachProcess } from './process/start/attach.js';
import type { LaunchContext } from './process/start/launch-context.js';
import { type TemplateValue, templateScript } from './process/start/shell-quote.js';
import { run, spawn } from './run/run.js';
import type { RunOptions, RunPromise } from './run/run-promise.js';
import { channelOpener } from './session/channel-opener.js';
import { checkConnectOptions } from './session/connect-option-rules.js';
import type { ConnectOptions, ConnectTarget } from './session/connect-options.js';
import { SessionLink } from './session/session-link.js';
import type { Command, SpawnOptions } from './spawn-options.js';

/** An order to end a process is answered at once by a server that hears it; what it does not hear, its timers do. */
const CLOSE_WAIT_MS = 2000;

interface ClientParts {
  readonly link: SessionLink;
  readonly registry: ProcessRegistry;
  readonly watches: WatchRegistry;
  readonly defaults: SpawnOptions;
}

/** The private constructor. A class that names itself is called `_ExecServerClient` once it is bundled. */
let create: (parts: ClientParts) => ExecServerClient;

export class ExecServerClient implements ExecBackend, AsyncDisposable {
  readonly fs: RemoteFs;
  /** Questions to the people who watch this session. */
  readonly approvals: Approvals;
  readonly #parts: ClientParts;
  readonly #capabilities: Capabilities;
  readonly #launch: LaunchContext;

  static {
    create = (parts) => new this(parts);
  }

  private constructor(parts: ClientParts) {
    const { link, registry, watches } = parts;
    this.#parts = parts;
    this.#capabilities = new Capabilities(link.info);
    this.fs = new RemoteFs({
      link,
      capabilities: this.#capabilities,
      watches,
      run: (command, options) => run(this.#launch, command, options),
    });
    this.approvals = new Approvals(link, this.#capabilities);
    this.#launch = {
      link,
      registry,
      capabilities: this.#capabilities,
      readFile: (path) => this.fs.readBytes(path),
    };
  }

  /** Rejects with `transport.connect`, `transport.timeout`, `unsupported` or `aborted`. */
  static async connect(target: ConnectTarget, options: ConnectOptions = {}): Promise<ExecServerClient> {
    checkConnectOptions(options);
    const registry = new ProcessRegistry();
    const watches = new WatchRegistry();
    const link = await SessionLink.open(channelOpener(target, options), options, {
      onNotification: (notification) => {
        if (!registry.take(notification)) watches.take(notification);
      },
      reconnecting: () => registry.reconnecting(),
      reconnected: () => {
        registry.reconnected();
        watches.reconnected();
      },
      ended: (error) => {
        registry.ended(error);
        watches.ended(error);
      },
    });
    return create({
      link,
      registry,
      watches,
      defaults: options.defaults ?? {},
    });
  }

  get sessionId(): string {
    return this.#parts.link.sessionId;
  }

  /** What the server says about its machine. Paths are as it wrote them. */
  get info(): EnvironmentInfo {
    return this.#parts.link.info;
  }

  /** Whether a feature beyond the common ground is there; using one that is not throws `unsupported`. */
  supports(capability: Capability): boolean {
    if (capability === 'reconnect') return this.#parts.link.canReconnect;
    return this.#capabilities.supports(capability);
  }

  /** Runs to the end. A string is a script for the server's shell; an array is a program with its arguments. */
  run(command: Command, options: RunOptions = {}): RunPromise {
    return run(this.#launch, command, { ...this.#parts.defaults, ...options });
  }

  /** A shell script in which every value is one word, whatever it holds; a list is several words. */
  $(strings: TemplateStringsArray, ...values: TemplateValue[]): RunPromise {
    return this.run(templateScript(strings, values));
  }

  /** The same session with other defaults; closing either closes both. */
  with(defaults: SpawnOptions): ExecServerClient {
    checkSpawnOptions(defaults);
    return create({ ...this.#parts, defaults: { ...this.#parts.defaults, ...defaults } });
  }

  /** Starts a process and resolves when it runs. The handle is not awaitable. */
  async spawn(command: Command, options: SpawnOptions = {}): Promise<RemoteProcess> {
    checkSpawnOptions(options);
    return spawn(this.#launch, command, { ...this.#parts.defaults, ...options });
  }

  /** Takes up a process of this session: one that was detached, or after connecting with `resume`. */
  async attach(
    ref: ProcessRef | string,
    options: Pick<SpawnOptions, 'drain' | 'capture' | 'bufferBytes' | 'stop'> = {},
  ): Promise<RemoteProcess> {
    checkProcessRef(ref);
    checkAttachOptions(options);
    const { processId, afterSeq } = this.#resolveRef(ref);
    return attachProcess(this.#launch, { processId, afterSeq }, options);
  }

  /**
   * The processes of this session, also those that another client of it started; `attach` takes one up. Needs
   * `process.list`.
   */
  async processes(): Promise<ProcessEntry[]> {
    this.#capabilities.require('process.list', 'Listing processes');
    const { processes } = await this.#parts.link.ask('process/list', null, { repeatable: true });
    return processes.map(processEntry);
  }

  /**
   * Any request of the protocol, typed by its name, for what this client has no method for. A refusal is
   * `server.rejected`. It is sent once: when its answer is lost, `admitted` is `unknown`.
   */
  async call<M extends Exclude<ClientRequestMethod, 'initialize'>>(
    method: M,
    params: ParamsOf<M>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<ResultOf<M>> {
    checkMethod(method);
    checkCallOptions('call', options);
    return this.#parts.link.askForText(method, params, { signal: options.signal });
  }

  /**
   * Ends the processes that were not detached and leaves, within two seconds. The session ends too, unless a process was
   * detached or the session was taken up: then the server keeps it for its time-to-live. Without a connection nothing
   * can be said to the server, and that time ends everything.
   */
  async close(): Promise<void> {
    const { link, registry } = this.#parts;
    if (link.isOpen) await this.#terminate(registry.running());
    link.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #terminate(feeds: readonly ProcessFeed[]): Promise<void> {
    const { link } = this.#parts;
    const late = new AbortController();
    const timer = link.clock.schedule(CLOSE_WAIT_MS, () => late.abort());
    await Promise.allSettled(
      feeds.map(async (feed) => {
        feed.stopping({ kind: 'terminated' });
        const options = { control: true, signal: late.signal };
        await link.call('process/terminate', { processId: feed.processId }, options);
      }),
    );
    timer.cancel();
  }

  #resolveRef(ref: ProcessRef | string): { processId: string; afterSeq: number } {
    if (typeof ref === 'string') return { processId: ref, afterSeq: 0 };
    if (ref.sessionId !== this.sessionId) {
      throw new ExecServerError('process.unknown', `process ${ref.processId} belongs to another session`, {
        details: { processId: ref.processId },
        hint: 'Connect with resume: { sessionId } of the reference first.',
      });
    }
    const afterSeq = seqOfCursor(ref.cursor);
    if (afterSeq === undefined) throw invalidArgument('ref', `not a cursor of this client: ${ref.cursor}`);
    return { processId: ref.processId, afterSeq };
  }
}
