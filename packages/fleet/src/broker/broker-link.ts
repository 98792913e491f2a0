// The connection to the broker. The library reconnects by itself; users of the link are told at once when the
// connection was lost, because messages that were in transit are lost too.

import {
  connect,
  credsAuthenticator,
  type Msg,
  type NatsConnection,
  type Subscription,
  wsconnect,
} from '@nats-io/transport-node';
import { type BrokerAddress, parseBrokerAddress } from './broker-address.js';
import { connectError } from './connect-error.js';
import { type Credentials, keyOfCredentials, readCredentials } from './credentials-file.js';
import { PublishGate } from './publish-gate.js';
import { type ReconnectPace, reconnectPace } from './reconnect-pace.js';

export interface BrokerOptions {
  /** `nats://HOST:PORT`, `tls://…` or `wss://…`; several of one cluster separated by commas. */
  readonly broker: string;
  /** Path of a credentials file. */
  readonly credentials?: string;
  /** Path of the certificate authority (PEM) of the broker, where the system does not know it. */
  readonly caFile?: string;
  readonly insecurePlaintext?: boolean;
  /** How the broker's own lists name this connection. */
  readonly name: string;
  readonly connectTimeoutMs?: number;
}

export interface LinkListener {
  /** What was sent and not confirmed may be lost. */
  down?(reason: string): void;
  up?(): void;
  /** The broker does not allow to publish at the subject, or to listen there. */
  refused?(error: Error, subject: string | undefined, isListening: boolean): void;
  /** The link is over: it was closed, or the broker refuses these credentials. */
  closed?(error: Error | undefined): void;
}

export type MessageHandler = (message: Msg) => void;

/** A connection that is dead without a sign is noticed within three of these, before a machine behind it counts as lost. */
const PING_INTERVAL_MS = 2000;
const CONNECT_TIMEOUT_MS = 10_000;
const FLUSH_MS = 1000;

export class BrokerLink {
  readonly address: BrokerAddress;
  /** The word for this program in subjects. */
  readonly key: string;
  /** The only name that a machine with these credentials may have. */
  readonly machine: string | undefined;
  readonly gate: PublishGate;
  readonly #connection: NatsConnection;
  readonly #pace: ReconnectPace;
  readonly #listeners = new Set<LinkListener>();
  #upSince: number | undefined = performance.now();
  #isClosed = false;
  #reconnects = 0;
  #lastError: Error | undefined;

  static async connect(options: BrokerOptions): Promise<BrokerLink> {
    const { insecurePlaintext = false } = options;
    const address = parseBrokerAddress(options.broker, { insecurePlaintext });
    const credentials =
      options.credentials === undefined ? undefined : await readCredentials(options.credentials);
    try {
      const pace = reconnectPace();
      const connection = await dial({ address, options, credentials, pace });
      return new BrokerLink({ address, credentials, connection, pace });
    } catch (cause) {
      throw connectError(cause, { address, file: options.credentials, credentials, now: Date.now() });
    }
  }

  private constructor({ address, credentials, connection, pace }: LinkParts) {
    this.address = address;
    this.#pace = pace;
    this.key = keyOfCredentials(credentials);
    this.machine = credentials?.machine;
    this.#connection = connection;
    this.gate = new PublishGate(() => connection.flush());
    void this.#watch();
    void connection.closed().then((error) => this.#end(error instanceof Error ? error : this.#lastError));
  }

  get isUp(): boolean {
    return this.#upSince !== undefined && !this.#isClosed;
  }

  /** For how long the connection has been there; zero when it is not. */
  get upMs(): number {
    return this.#upSince === undefined || this.#isClosed ? 0 : performance.now() - this.#upSince;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get reconnects(): number {
    return this.#reconnects;
  }

  get brokerVersion(): string {
    return this.#connection.info?.version ?? 'unknown';
  }

  get isEncrypted(): boolean {
    return this.address.needsTls || this.#connection.info?.tls_required === true;
  }

  get maxPayloadBytes(): number {
    return this.#connection.info?.max_payload ?? 64 * 1024;
  }

  listen(listener: LinkListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(subject: string, data: Uint8Array, reply?: string): void {
    if (this.#isClosed) return;
    this.#connection.publish(subject, data, reply === undefined ? {} : { reply });
    this.gate.published(data.length);
  }

  subscribe(subject: string, handler: MessageHandler, queue?: string): Subscription {
    return this.#connection.subscribe(subject, {
      // An iterator would queue without bound.
      callback: (error, message) => {
        if (error === null) handler(message);
        else this.#lastError = error;
      },
      ...(queue === undefined ? {} : { queue }),
    });
  }

  roundTrip(): Promise<number> {
    return this.#connection.rtt();
  }

  flush(): Promise<void> {
    return this.#connection.flush();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    // A broker that takes nothing any more holds nobody up.
    if (this.isUp) await Promise.race([this.#connection.flush().catch(() => undefined), pause(FLUSH_MS)]);
    await this.#connection.close();
  }

  async #watch(): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type === 'disconnect') this.#down('the connection to the broker is lost');
      else if (status.type === 'staleConnection') this.#down('the broker is silent');
      else if (status.type === 'reconnect') this.#up();
      else if (status.type === 'error') this.#refused(status.error);
    }
  }

  #up(): void {
    this.#reconnects++;
    this.#pace.reached();
    this.#upSince = performance.now();
    for (const listener of this.#listeners) listener.up?.();
  }

  #refused(error: Error): void {
    this.#lastError = error;
    const isListening = Reflect.get(error, 'operation') === 'subscription';
    for (const listener of this.#listeners) listener.refused?.(error, subjectOf(error), isListening);
  }

  #down(reason: string): void {
    if (this.#upSince === undefined) return;
    this.#upSince = undefined;
    this.gate.reset();
    for (const listener of this.#listeners) listener.down?.(reason);
  }

  #end(error: Error | undefined): void {
    if (this.#isClosed) return;
    this.#down('the connection to the broker is closed');
    this.#isClosed = true;
    for (const listener of this.#listeners) listener.closed?.(error);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());
}

function subjectOf(error: Error): string | undefined {
  const subject: unknown = Reflect.get(error, 'subject');
  return typeof subject === 'string' ? subject : undefined;
}

interface DialParts {
  readonly address: BrokerAddress;
  readonly options: BrokerOptions;
  readonly credentials: Credentials | undefined;
  readonly pace: ReconnectPace;
}

interface LinkParts extends Omit<DialParts, 'options'> {
  readonly connection: NatsConnection;
}

async function dial({
  address,
  options: { name, caFile, connectTimeoutMs = CONNECT_TIMEOUT_MS },
  credentials,
  pace: { reconnectDelayHandler },
}: DialParts): Promise<NatsConnection> {
  const options = {
    servers: [...address.servers],
    name,
    timeout: connectTimeoutMs,
    maxReconnectAttempts: -1,
    reconnectDelayHandler,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
    noEcho: true,
    ignoreClusterUpdates: !address.learnsServers,
    ...(credentials === undefined ? {} : { authenticator: credsAuthenticator(credentials.file) }),
  };
  if (address.transport === 'websocket')
    return wsconnect({ ...options, wsFactory: await webSocketFactory(caFile) });
  const tls = address.needsTls || caFile !== undefined ? { tls: caFile === undefined ? {} : { caFile } } : {};
  return connect({ ...options, ...tls });
}

/** Node before version 22 has no websocket of its own, and none that takes a certificate authority. */
async function webSocketFactory(caFile: string | undefined) {
  const [{ WebSocket }, { readFile }] = await Promise.all([import('ws'), import('node:fs/promises')]);
  const ca = caFile === undefined ? undefined : await readFile(caFile);
  return (url: string) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, ...(ca === undefined ? {} : { ca }) });
    return Promise.resolve({
      socket: socket as unknown as globalThis.WebSocket,
      encrypted: url.startsWith('wss:'),
    });
  };
}
