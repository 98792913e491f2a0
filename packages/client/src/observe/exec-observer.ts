// Watches the sessions of others on an exec-server. It has no session of its own: it starts nothing, and what it does to
// others it does with a grant that it was given where it connected.
import {
  type Approval,
  type ApprovalsDecideResult,
  type ClientRequestMethod,
  type EnvironmentInfo,
  encodeBase64,
  type FsReadDirectoryResult,
  type Grant,
  type JournalEvent,
  type JournalReadResult,
  type ObservedSession,
  type ObserveProcessesResult,
  type ObserveReadResult,
  type ParamsOf,
  payloadBytes,
  type ResultOf,
  type SandboxExplainResult,
} from '@codex/exec-protocol';
import type { IncomingNotification } from '@codex/exec-rpc';
import type { ExecServerError } from '../exec-server-error.js';
import { channelOpener } from '../session/channel-opener.js';
import { checkConnectOptions } from '../session/connect-option-rules.js';
import type { ConnectOptions, ConnectTarget } from '../session/connect-options.js';
import { SessionLink } from '../session/session-link.js';
import { openFailure, ProcessWatch, type WatchOptions, type WatchTarget } from './process-watch.js';

export type ProcessTarget = WatchTarget;

export type ObserveOptions = Omit<ConnectOptions, 'defaults' | 'resume' | 'sessionTtlMs'> & {
  /** A question was asked, decided, withdrawn, or has expired. Needs the grant `approve`. */
  readonly onApproval?: (approval: Approval) => void;
};

const JOURNAL_WAIT_MS = 20_000;

type Watches = Map<string, ProcessWatch>;

// A class that names itself in its static methods gets a second name by the bundler, and shows that one.
let create: (link: SessionLink, watches: Watches) => ExecObserver;

export class ExecObserver implements AsyncDisposable {
  readonly #link: SessionLink;
  readonly #watches: Watches;
  #nextWatch = 1;

  static {
    create = (link, watches) => new this(link, watches);
  }

  private constructor(link: SessionLink, watches: Watches) {
    this.#link = link;
    this.#watches = watches;
  }

  /** Rejects with `unsupported` where the server has no observers, `transport.connect` where it does not admit this one. */
  static async connect(
    target: ConnectTarget,
    { onApproval, ...options }: ObserveOptions = {},
  ): Promise<ExecObserver> {
    checkConnectOptions(options);
    const watches = new Map<string, ProcessWatch>();
    const listener = {
      onNotification: (notification: IncomingNotification) => {
        const { method, params } = notification;
        const { watch, approval } = (params ?? {}) as { watch?: string; approval?: Approval };
        if (watch !== undefined) watches.get(watch)?.take(notification);
        else if (method === 'approvals/changed' && approval !== undefined) onApproval?.(approval);
      },
      reconnecting: () => undefined,
      reconnected: () => {
        for (const watch of [...watches.values()]) watch.reconnected();
      },
      ended: (error: ExecServerError) => {
        for (const watch of [...watches.values()]) watch.fail(error);
      },
    };
    const link = await SessionLink.open(channelOpener(target, options), options, listener, 'observer');
    return create(link, watches);
  }

  /** What this observer may do. */
  get grants(): readonly Grant[] {
    return this.#link.grants;
  }

  get info(): EnvironmentInfo {
    return this.#link.info;
  }

  async sessions(): Promise<ObservedSession[]> {
    return [...(await this.#look('sessions/list', null)).sessions];
  }

  /** The processes of one session, or of all that may be seen. */
  processes(session?: string): Promise<ObserveProcessesResult> {
    return this.#look('observe/processes', session === undefined ? {} : { session });
  }

  /** Follows a process. The watch ends with the process, with the iteration, or by `close()`. */
  async watch(target: ProcessTarget, options: WatchOptions = {}): Promise<ProcessWatch> {
    const name = `w${this.#nextWatch++}`;
    const watch = new ProcessWatch({
      name,
      target: { session: target.session, processId: target.processId },
      link: this.#link,
      options,
      onClosed: () => this.#watches.delete(name),
    });
    this.#watches.set(name, watch);
    try {
      await watch.open();
    } catch (error) {
      this.#watches.delete(name);
      throw openFailure(error);
    }
    return watch;
  }

  /** Output at any place of the log, without an effect on its owner. */
  read(
    { session, processId }: ProcessTarget,
    range: { readonly afterSeq?: number; readonly maxBytes?: number } = {},
  ): Promise<ObserveReadResult> {
    return this.#look('observe/read', { session, processId, ...range });
  }

  readJournal(params: ParamsOf<'journal/read'> = {}): Promise<JournalReadResult> {
    return this.#look('journal/read', params);
  }

  /** What happened and what happens. Events that are no longer kept are told as `omitted`. */
  async *journal(
    options: { readonly afterSeq?: number; readonly session?: string; readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<
    JournalEvent | { readonly kind: 'omitted'; readonly fromSeq: number; readonly toSeq: number }
  > {
    const { session, signal } = options;
    let afterSeq = options.afterSeq ?? 0;
    while (signal?.aborted !== true) {
      const only = session === undefined ? {} : { session };
      const page = await this.readJournal({ afterSeq, waitMs: JOURNAL_WAIT_MS, ...only });
      if (page.omitted != null) yield { kind: 'omitted', ...page.omitted };
      yield* page.events;
      afterSeq = page.nextSeq - 1;
    }
  }

  /** What is alive of the tree of a process. */
  tree({ session, processId }: ProcessTarget): Promise<ResultOf<'observe/tree'>> {
    return this.#look('observe/tree', { session, processId });
  }

  /** The policy of a process, why something was denied, and what would allow it. */
  explain(
    { session, processId }: ProcessTarget,
    more: Pick<ParamsOf<'sandbox/explain'>, 'path' | 'whatIf'> = {},
  ): Promise<SandboxExplainResult> {
    return this.#look('sandbox/explain', { session, processId, ...more });
  }

  readDirectory({ session, processId }: ProcessTarget, path: string): Promise<FsReadDirectoryResult> {
    return this.#look('observe/readDirectory', { session, processId, path });
  }

  /** At most 1 MiB at a time. */
  async readFile(
    { session, processId }: ProcessTarget,
    path: string,
    range: { readonly offset?: number; readonly maxBytes?: number } = {},
  ): Promise<{ bytes: Uint8Array; size: number; eof: boolean }> {
    const params = { session, processId, path, ...range };
    const { chunk, size, eof } = await this.#link.ask('observe/readFile', params, { repeatable: true });
    return { bytes: payloadBytes(chunk) ?? new Uint8Array(), size, eof };
  }

  async signal(
    { session, processId }: ProcessTarget,
    signal: ParamsOf<'control/signal'>['signal'],
  ): Promise<void> {
    await this.#link.ask('control/signal', { session, processId, signal }, { control: true });
  }

  /** Ends the command and its whole tree. False when it had ended already. */
  async terminate(
    { session, processId }: ProcessTarget,
    mode?: ParamsOf<'control/terminate'>['mode'],
  ): Promise<boolean> {
    const params = { session, processId, ...(mode === undefined ? {} : { mode }) };
    return (await this.#link.ask('control/terminate', params, { control: true })).running;
  }

  async write(
    { session, processId }: ProcessTarget,
    bytes: Uint8Array | string,
  ): Promise<ResultOf<'control/write'>['status']> {
    const chunk = encodeBase64(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
    const params = { session, processId, chunk, writeId: crypto.randomUUID() };
    return (await this.#link.ask('control/write', params, { control: true, repeatable: true })).status;
  }

  async resize(
    { session, processId }: ProcessTarget,
    size: { readonly rows: number; readonly cols: number },
  ): Promise<void> {
    await this.#link.ask('control/resize', { session, processId, ...size }, { control: true });
  }

  async approvals(): Promise<Approval[]> {
    return [...(await this.#look('approvals/list', null)).approvals];
  }

  /** The first decision wins: `accepted` says whether it was this one. */
  decide(params: ParamsOf<'approvals/decide'>): Promise<ApprovalsDecideResult> {
    return this.#link.ask('approvals/decide', params, { control: true });
  }

  async close(): Promise<void> {
    await Promise.resolve();
    this.#link.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #look<M extends ClientRequestMethod>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
    return this.#link.askForText(method, params, { repeatable: true });
  }
}
