// The server: takes channels, gives each a connection, and ends everything in order. It knows no socket.

import { FileSystems } from '@codex/exec-files';
import type { EnvironmentInfo } from '@codex/exec-protocol';
import { type Channel, createInMemoryChannelPair } from '@codex/exec-rpc';
import { type ExecServerConfig, type ExecServerOptions, resolveConfig } from './config.js';
import { Connection } from './connection.js';
import { capabilitiesOf } from './environment/capabilities.js';
import { describeEnvironment } from './environment/environment-info.js';
import { findHostFacts } from './environment/host-facts.js';
import { capabilityHandlers } from './handlers/capability.js';
import { environmentHandlers } from './handlers/environment.js';
import { environmentConfigHandlers } from './handlers/environment-config.js';
import { fsHandlers } from './handlers/fs.js';
import type { Handlers } from './handlers/handler-table.js';
import { httpHandlers } from './handlers/http.js';
import { installedCapabilitiesHandlers } from './handlers/installed-capabilities.js';
import { processHandlers } from './handlers/process.js';
import { watchMissingHandlers } from './handlers/watch-missing.js';
import { sharesOf } from './process/output/in-transit-shares.js';
import { SessionRegistry } from './session/session-registry.js';

/** Close code for connections that end because the server does. */
const GOING_AWAY = 1001;

export class ExecServer {
  readonly #config: ExecServerConfig;
  readonly #sessions: SessionRegistry;
  readonly #handlers: Handlers;
  readonly #files: FileSystems;
  readonly #connections = new Set<Connection>();
  #environment: Promise<EnvironmentInfo> | undefined;
  #nextConnectionId = 1;
  #down: Promise<void> | undefined;

  constructor(options: ExecServerOptions = {}) {
    this.#config = resolveConfig(options);
    this.#sessions = new SessionRegistry(this.#config);
    this.#files = new FileSystems(this.#config);
    this.#handlers = {
      ...environmentHandlers(() => this.describeEnvironment()),
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
    };
  }

  /** What this host is and can do; found out when it is first asked for. */
  describeEnvironment(): Promise<EnvironmentInfo> {
    this.#environment ??= findHostFacts(this.#config).then((facts) =>
      describeEnvironment({ ...this.#config, capabilities: capabilitiesOf(facts) }),
    );
    return this.#environment;
  }

  /** Serves one peer until its channel closes. */
  accept(channel: Channel, { identity = 'local' }: { identity?: string } = {}): Connection {
    channel.boundUnread?.(sharesOf(this.#config.process.retainedOutputBytesPerProcess).onItsWayBytes);
    const connection = new Connection({
      id: this.#nextConnectionId++,
      channel,
      identity,
      handlers: this.#handlers,
      sessions: this.#sessions,
      describeEnvironment: () => this.describeEnvironment(),
      limits: this.#config.rpc,
      logger: this.#config.logger,
    });
    this.#connections.add(connection);
    void connection.closed.then(() => this.#connections.delete(connection));
    return connection;
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

  async #shutDown(): Promise<void> {
    await Promise.all([this.#sessions.shutdown(), this.#files.close()]);
    for (const connection of this.#connections) connection.close(GOING_AWAY, 'server is shutting down');
    await Promise.all([...this.#connections].map((connection) => connection.closed));
  }
}
