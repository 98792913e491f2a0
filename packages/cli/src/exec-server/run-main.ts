// Serves until it is told to stop: the embeddable whole of `exec-server serve`.

import type { ListenerOptions, PeerDescription } from '@codex/exec-listener';
import { CodedError } from '@codex/exec-protocol';
import type { Channel } from '@codex/exec-rpc';
import type { AcceptOptions, ExecServer, ExecServerOptions } from '@codex/exec-server-core';
import { type Logger, silentLogger } from '@codex/exec-server-core/defaults';
import type { ConsoleAddress, ConsoleOptions, ConsoleService } from '../console/console-service.js';
import type { ServeFleetOptions } from '../fleet/serve-fleet.js';
import type { ExecServerRuntimePaths } from '../runtime-paths.js';
import { type ListenAddress, parseListenUrl } from '../settings/listen-url.js';
import { warnOfWeakLauncher } from './launcher-warnings.js';
import { warnOfOtherLoopback } from './name-warnings.js';
import { registeredOpenTelemetry } from './open-telemetry.js';
import { ownFolders } from './own-folders.js';
import { openRecords, type ServerRecords } from './server-records.js';
import { openStandardOutput } from './standard-output.js';

type GateOptions = Pick<
  ListenerOptions,
  'auth' | 'tls' | 'insecurePlaintext' | 'allowOrigins' | 'allowHosts' | 'limits' | 'keepalive'
>;

export interface RunMainOptions extends GateOptions {
  /** `ws://IP:PORT` or `stdio`. */
  readonly listen: string;
  /** Be a machine of a fleet instead; `listen` has no meaning then. */
  readonly fleet?: Pick<ServeFleetOptions, 'place' | 'flags'>;
  readonly runtimePaths: ExecServerRuntimePaths;
  readonly server?: ExecServerOptions;
  readonly logger?: Logger;
  /** Ends the server: children get their grace period, then everything is closed. */
  readonly signal?: AbortSignal;
  /** A console for browsers, below /console/ of the same address. */
  readonly console?: Omit<ConsoleOptions, 'allowHosts'>;
  /** Where to keep a record of who ran what: a file, appended to. */
  readonly auditLog?: string;
  /** A folder for recordings of what commands write. They hold whatever secrets the output holds. */
  readonly record?: string;
  /** `http://IP:PORT`: where metrics are served, behind the same gates. */
  readonly metricsListen?: string;
  /** Called with the bound address, or the machine's place in the fleet, once clients are accepted. Never for stdio. */
  onListening?(url: string): void;
  /** Called with the address of the metrics, before the server's own. */
  onMetrics?(url: string): void;
  /** Called with the console when it is there, a little after that: its code is loaded when the address is out. */
  onConsole?(console: Pick<ConsoleService, 'firstAddresses'>): void;
}

/** Resolves when the server has ended and nothing of it is left. */
export async function runMain(options: RunMainOptions): Promise<void> {
  if (options.fleet !== undefined) {
    await serveInFleet(options, options.fleet);
    return;
  }
  const address = parseListenUrl(options.listen);
  await (address.transport === 'stdio' ? serveStdio(options) : serveWebSocket(options, address));
}

/** Late enough to be out of the way of the first client. */
const LOAD_THE_REST_MS = 500;

/** Most of the code is behind this: it is loaded when the address is known, and clients wait for it that long. */
async function createServer(
  options: RunMainOptions,
  records: ServerRecords,
  more: Pick<ExecServerOptions, 'sessionHooks' | 'tickets' | 'metrics' | 'refusedPorts'> = {},
): Promise<ExecServer> {
  const sandboxTrial = beginSandboxTrial();
  const { ExecServer: Server, loadDeferredModules } = await import('@codex/exec-server-core');
  const logger = options.logger ?? silentLogger;
  const openTelemetry = await registeredOpenTelemetry();
  const server = new Server({
    ...options.server,
    ...more,
    ...records.serverOptions,
    ...(sandboxTrial === undefined ? {} : { sandboxTrial }),
    logger,
    ...(await piecesFrom(options.runtimePaths, logger)),
    ownFolders: ownFolders(options.runtimePaths),
    ...(openTelemetry === undefined ? {} : { openTelemetry }),
  });
  records.follow(server);
  // The first client waits for it otherwise.
  void server.describeEnvironment().catch(() => undefined);
  if (options.runtimePaths.holdsOwnFiles !== true) {
    setTimeout(() => void loadDeferredModules().catch(() => undefined), LOAD_THE_REST_MS).unref();
  }
  return server;
}

/** The first answer says whether there are sandboxes. What finds out runs beside us while the server's code is loaded. */
function beginSandboxTrial(): Promise<boolean> | undefined {
  if (process.platform !== 'linux') return undefined;
  return import('@codex/sandbox/bubblewrap-trial')
    .then(({ canUseBubblewrap }) => canUseBubblewrap())
    .catch(() => false);
}

async function serveInFleet(
  options: RunMainOptions,
  fleet: Pick<ServeFleetOptions, 'place' | 'flags'>,
): Promise<void> {
  const [{ serveFleet }, { VERSION }] = await Promise.all([
    import('../fleet/index.js'),
    import('@codex/exec-server-core'),
  ]);
  const records = await openRecords(options);
  await serveFleet({
    ...fleet,
    server: options.server ?? {},
    logger: options.logger ?? silentLogger,
    version: VERSION,
    signal: options.signal ?? new AbortController().signal,
    ...records.serverOptions,
    ...(options.auth === undefined ? {} : { auth: options.auth }),
    createServer: (more) => createServer(options, records, more),
    onJoined: (label) => options.onListening?.(label),
  });
  await records.close();
}

/** What a websocket's client is told by its close code can only stand on stderr here. */
class StdioInputError extends CodedError<'STDIO_INPUT_INVALID'> {}

async function serveStdio(options: RunMainOptions): Promise<void> {
  const [{ createStdioChannel }, { CLOSE_NOT_UTF8 }] = await Promise.all([
    import('@codex/exec-rpc/stdio'),
    import('@codex/exec-rpc'),
  ]);
  const records = await openRecords(options);
  const server = await createServer(options, records);
  const channel = createStdioChannel({
    input: process.stdin,
    output: openStandardOutput(),
    skipsTooLong: true,
  });
  const connection = server.accept(channel, { identity: 'stdio' });
  const end = await Promise.race([connection.closed, aborted(options.signal)]);
  await server.shutdown();
  options.runtimePaths.keepCompiledCode?.();
  await records.close();
  if (end?.code === CLOSE_NOT_UTF8) throw new StdioInputError('STDIO_INPUT_INVALID', end.reason);
}

async function serveWebSocket(
  options: RunMainOptions,
  { host, port }: Extract<ListenAddress, { transport: 'websocket' }>,
): Promise<void> {
  const { WebSocketListener } = await import('@codex/exec-listener');
  const records = await openRecords(options);
  const logger = options.logger ?? silentLogger;
  let server: ExecServer | undefined;
  const waiting: (() => void)[] = [];
  const accept = (channel: Channel, peer: PeerDescription): void => {
    if (server === undefined) {
      waiting.push(() => accept(channel, peer));
      return;
    }
    const { identity, remoteAddress } = peer;
    const connection = server.accept(channel, admittedAs(peer));
    keepCompiledCodeSoon(options.runtimePaths);
    if (peer.issueReturnTicket !== undefined) {
      server.journal.record({ kind: 'ticketSpent', by: identity, remoteAddress });
    }
    logger.info('client connected', { connection: connection.id, remoteAddress, identity });
    void connection.closed.then(({ code, reason }) =>
      logger.info('client disconnected', { connection: connection.id, code, reason }),
    );
  };
  let haveService: (service: ConsoleService) => void = () => undefined;
  const ready = new Promise<ConsoleService>((resolve) => {
    haveService = resolve;
  });
  const listener = await WebSocketListener.listen({
    ...gateOptions(options),
    host,
    port,
    onChannel: accept,
    ...(options.console === undefined ? {} : { openConsole: async () => (await ready).openDoor() }),
    onRefused: (refusal) => {
      logger.warn('connection refused', { ...refusal });
      const { reason, remoteAddress } = refusal;
      server?.connectionRefused({ reason, remoteAddress });
    },
  });
  options.onListening?.(listener.url);
  warnOfOtherLoopback(listener, logger);
  const service = await consoleService(options, listener);
  if (service !== undefined) {
    haveService(service);
    options.onConsole?.(service);
  }
  server = await createServer(options, records, service === undefined ? {} : { tickets: service.tickets });
  for (const acceptWaiting of waiting) acceptWaiting();
  await aborted(options.signal);
  await server.shutdown();
  await listener.close();
  options.runtimePaths.keepCompiledCode?.();
  await records.close();
}

/** What the first client needed is compiled by then, and the client is not in the way. */
const KEEP_COMPILED_MS = 1000;

function keepCompiledCodeSoon({ keepCompiledCode }: ExecServerRuntimePaths): void {
  if (keepCompiledCode !== undefined) setTimeout(keepCompiledCode, KEEP_COMPILED_MS).unref();
}

async function piecesFrom(
  { launcherProgram, fileHelper }: ExecServerRuntimePaths,
  logger: Logger,
): Promise<Pick<ExecServerOptions, 'launcher' | 'fileHelper'>> {
  const pieces = fileHelper === undefined ? {} : { fileHelper };
  const { createLauncher } = await import('@codex/launcher');
  const launcher = createLauncher(launcherProgram === undefined ? {} : { launcherProgram });
  warnOfWeakLauncher(launcher, logger);
  // The server makes its own, of the same kind, and closes it at its end. This one has started nothing.
  return launcherProgram === undefined ? pieces : { ...pieces, launcher };
}

/** Loaded for those who want it, and after the address is known. */
async function consoleService(
  options: RunMainOptions,
  listener: ConsoleAddress,
): Promise<ConsoleService | undefined> {
  if (options.console === undefined) return undefined;
  const { createConsoleService } = await import('../console/console-service.js');
  const { allowHosts = [], console } = options;
  return createConsoleService({ ...console, allowHosts }, listener);
}

/** What the door says of a peer. */
function admittedAs({ identity, grants, seesOthers, issueReturnTicket }: PeerDescription): AcceptOptions {
  return {
    ...(issueReturnTicket === undefined ? {} : { reconnectToken: () => issueReturnTicket().ticket }),
    identity,
    ...(grants === undefined ? {} : { grants }),
    ...(seesOthers === undefined ? {} : { seesOthers }),
  };
}

/** Only the keys that are set: an undefined one would hide the listener's default. */
function gateOptions(options: GateOptions): GateOptions {
  const { auth, tls, insecurePlaintext, allowOrigins, allowHosts, limits, keepalive } = options;
  return Object.fromEntries(
    Object.entries({ auth, tls, insecurePlaintext, allowOrigins, allowHosts, limits, keepalive }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    else signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
