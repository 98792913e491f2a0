// The server: takes channels, gives each a connection, and ends everything in order. It knows no socket.

import { FileSystems } from '@codex/exec-files';
import type { EnvironmentInfo } from '@codex/exec-protocol';
import { type Channel, createInMemoryChannelPair } from '@codex/exec-rpc';
import { type ExecServerConfig, type ExecServerOptions, resolveConfig } from './config.js';
import { Connection } from './connection.js';
import { capabilitiesOf } from './environment/capabilities.js';
import { describeEnvironment } from './environment/environment-info.js';
import { findHostFacts } from './environment/host-facts.js';
import { approvalDecisionHandlers, approvalHandlers } from './handlers/approvals.js';
import { capabilityHandlers } from './handlers/capability.js';
import { consoleHandlers, consoleSharingHandlers } from './handlers/console.js';
import { environmentHandlers } from './handlers/environment.js';
import { environmentConfigHandlers } from './handlers/environment-config.js';
import { fsHandlers } from './handlers/fs.js';
import type { Handlers, ObserverHandlers } from './handlers/handler-table.js';
import { httpHandlers } from './handlers/http.js';
import { installedCapabilitiesHandlers } from './handlers/installed-capabilities.js';
import { observeHandlers } from './handlers/observe.js';
import { observeSandboxHandlers } from './handlers/observe-sandbox.js';
import { processHandlers } from './handlers/process.js';
import { watchMissingHandlers } from './handlers/watch-missing.js';
import { Journal } from './journal/journal.js';
import { type Refusal, Refusals } from './journal/refusals.js';
import type { Admitted } from './observe/access.js';
import type { RequestInstrument } from './observe/instruments.js';
import { Observation } from './observe/observation.js';
import { PastProcesses } from './observe/past/past-processes.js';
import { RequestSpans } from './observe/spans/request-spans.js';
import type { WatchedProcess } from './observe/watch/watch.js';
import { sharesOf } from './process/output/in-transit-shares.js';
import { SessionRegistry } from './session/session-registry.js';

/** Close code for connections that end because the server does. */
const GOING_AWAY = 1001;

/** Who is at the other end of a channel, and what it may do, as the door says. */
export interface AcceptOptions extends Partial<Admitted> {
  /** To a page that came with a ticket: what opens its next connection. */
  readonly reconnectToken?: () => string;
  /** The handshake has succeeded: a session, or an observer. */
  readonly onInitialized?: () => void;
  /** It came in to take a session up, and may not open one. */
  readonly mustResume?: boolean;
}

export class ExecServer {
  readonly #config: ExecServerConfig;
  readonly #sessions: SessionRegistry;
  readonly #handlers: Handlers;
  readonly #observerHandlers: ObserverHandlers;
  readonly #observation: Observation;
  readonly #instruments: readonly RequestInstrument[];
  /** What happened, numbered: for observers, an audit log, metrics. */
  readonly journal: Journal;
  readonly #refusals: Refusals;
  readonly #files: FileSystems;
  readonly #connections = new Set<Connection>();
  #environment: Promise<EnvironmentInfo> | undefined;
  #nextConnectionId = 1;
  #down: Promise<void> | undefined;

  constructor(options: ExecServerOptions = {}) {
    this.#config = resolveConfig(options);
    const { observe, clock, mayObserve } = this.#config;
    this.journal = new Journal({ maxEvents: observe.journalEvents, maxBytes: observe.journalBytes });
    const { journal } = this;
    this.#refusals = new Refusals(journal, clock);
    const past = new PastProcesses({
      keepAtMost: observe.maxPastProcesses,
      bytesEach: observe.pastOutputBytesPerProcess,
    });
    this.#sessions = new SessionRegistry({ ...this.#config, journal, keeper: past });
    this.#instruments = this.#measuring();
    this.#observation = new Observation({
      sessions: this.#sessions,
      past,
      journal,
      limits: observe,
      clock,
      mayObserve,
    });
    this.#files = new FileSystems({
      ...this.#config,
      sharedLauncher: () => this.#sessions.launcher,
    });
    this.#handlers = {
      ...environmentHandlers,
      ...processHandlers({
        ...this.#config,
        warmFiles: (session, sandbox) => this.#files.warm(session, sandbox),
      }),
      ...fsHandlers({ ...this.#config, files: this.#files }),
      ...watchMissingHandlers(this.#files),
      ...httpHandlers(this.#config),
      ...capabilityHandlers(this.#files),
      ...installedCapabilitiesHandlers({ ...this.#config, files: this.#files }),
      ...environmentConfigHandlers(this.#config),
      ...approvalHandlers(this.#observation),
      ...consoleHandlers(this.#config.tickets, journal),
    };
    this.#observerHandlers = {
      ...observeHandlers(this.#observation, this.#config.clock),
      ...observeSandboxHandlers({
        observation: this.#observation,
        files: this.#files,
        maxDirectoryEntries: this.#config.fs.maxDirectoryEntries,
        tmpdir: this.#config.tmpdir,
      }),
      ...approvalDecisionHandlers(this.#observation),
      ...consoleSharingHandlers(journal),
    };
  }

  /** What this host is and can do; found out when it is first asked for. */
  describeEnvironment(): Promise<EnvironmentInfo> {
    this.#environment ??= findHostFacts(this.#config).then((facts) =>
      describeEnvironment({
        ...this.#config,
        capabilities: { ...capabilitiesOf(facts), consoleTickets: this.#config.tickets !== undefined },
      }),
    );
    return this.#environment;
  }

  /** Serves one peer until its channel closes. */
  accept(
    channel: Channel,
    { identity = 'local', reconnectToken, onInitialized, mustResume, ...admitted }: AcceptOptions = {},
  ): Connection {
    channel.boundUnread?.(sharesOf(this.#config.process.retainedOutputBytesPerProcess).onItsWayBytes);
    const connection = new Connection({
      id: this.#nextConnectionId++,
      channel,
      access: this.#observation.accessOf({ ...admitted, identity }),
      reconnectToken,
      handlers: this.#handlers,
      observerHandlers: this.#observerHandlers,
      observation: this.#observation,
      sessions: this.#sessions,
      describeEnvironment: () => this.describeEnvironment(),
      instruments: this.#instruments,
      limits: this.#config.rpc,
      logger: this.#config.logger,
      ...(onInitialized === undefined ? {} : { onInitialized }),
      ...(mustResume === undefined ? {} : { mustResume }),
    });
    this.#connections.add(connection);
    const disconnected = this.#config.metrics?.connected(channel.transport ?? 'other');
    void connection.closed.then(() => {
      this.#connections.delete(connection);
      disconnected?.();
    });
    return connection;
  }

  /** A process of this server, for a recorder in the same process. */
  watchable(session: string, processId: string): WatchedProcess | undefined {
    return this.#sessions.byHandle(session)?.processes.get(processId);
  }

  /** A connection was refused at the door. */
  connectionRefused(refusal: Refusal): void {
    this.#refusals.add(refusal);
  }

  /** Ends the sessions whose time is over by the wall clock, which runs on while a machine is suspended. */
  endExpiredSessions(): void {
    this.#sessions.endExpired(Date.now());
  }

  /** A channel to this server for a client in the same process. */
  connectInMemory(): Channel {
    const [serverSide, clientSide] = createInMemoryChannelPair();
    this.accept(serverSide);
    return clientSide;
  }

  /** Lets processes end within the grace period, kills what is left, then closes every connection. */
  shutdown(): Promise<void> {
    this.#down ??= this.#shutDown();
    return this.#down;
  }

  #measuring(): RequestInstrument[] {
    const { metrics, openTelemetry, version } = this.#config;
    metrics?.attach(this.journal, {
      sessions: () => this.#sessions.size,
      processes: () => this.#sessions.liveProcesses,
    });
    const spans = openTelemetry && new RequestSpans(openTelemetry, version);
    spans?.attach(this.journal);
    return [metrics, spans].filter((instrument) => instrument !== undefined);
  }

  async #shutDown(): Promise<void> {
    await Promise.all([this.#sessions.shutdown(), this.#files.close()]);
    for (const connection of this.#connections) connection.close(GOING_AWAY, 'server is shutting down');
    await Promise.all([...this.#connections].map((connection) => connection.closed));
  }
}
