// Serves until it is told to stop: the embeddable whole of `exec-server serve`.

import type { ListenerOptions, PeerDescription } from '@codex/exec-listener';
import type { Channel } from '@codex/exec-rpc';
import type { ExecServer, ExecServerOptions } from '@codex/exec-server-core';
import { type Logger, silentLogger } from '@codex/exec-server-core/defaults';
import { warnOfWeakLauncher } from './launcher-warnings.js';
import { type ListenAddress, parseListenUrl } from './listen-url.js';
import type { ExecServerRuntimePaths } from './runtime-paths.js';
import { openStandardOutput } from './standard-output.js';

type GateOptions = Pick<
  ListenerOptions,
  'auth' | 'tls' | 'insecurePlaintext' | 'allowOrigins' | 'allowHosts' | 'limits' | 'keepalive'
>;

export interface RunMainOptions extends GateOptions {
  /** `ws://IP:PORT` or `stdio`. */
  readonly listen: string;
  readonly runtimePaths: ExecServerRuntimePaths;
  readonly server?: ExecServerOptions;
  readonly logger?: Logger;
  /** Ends the server: children get their grace period, then everything is closed. */
  readonly signal?: AbortSignal;
  /** Called with the bound address once connections are accepted. Never called for stdio. */
  onListening?(url: string): void;
}

/** Resolves when the server has ended and nothing of it is left. */
export async function runMain(options: RunMainOptions): Promise<void> {
  const address = parseListenUrl(options.listen);
  await (address.transport === 'stdio' ? serveStdio(options) : serveWebSocket(options, address));
}

/** Late enough to be out of the way of the first client. */
const LOAD_THE_REST_MS = 500;

/** Most of the code is behind this: it is loaded when the address is known, and clients wait for it that long. */
async function createServer(options: RunMainOptions): Promise<ExecServer> {
  const { ExecServer: Server, loadDeferredModules } = await import('@codex/exec-server-core');
  const logger = options.logger ?? silentLogger;
  const server = new Server({
    ...options.server,
    logger,
    ...(await piecesFrom(options.runtimePaths, logger)),
  });
  // The first client waits for it otherwise.
  void server.describeEnvironment().catch(() => undefined);
  setTimeout(() => void loadDeferredModules().catch(() => undefined), LOAD_THE_REST_MS).unref();
  return server;
}

async function serveStdio(options: RunMainOptions): Promise<void> {
  const { createStdioChannel } = await import('@codex/exec-rpc/stdio');
  const server = await createServer(options);
  const channel = createStdioChannel({ input: process.stdin, output: openStandardOutput() });
  const connection = server.accept(channel, { identity: 'stdio' });
  await Promise.race([connection.closed, aborted(options.signal)]);
  await server.shutdown();
}

async function serveWebSocket(
  options: RunMainOptions,
  { host, port }: Extract<ListenAddress, { transport: 'websocket' }>,
): Promise<void> {
  const { WebSocketListener } = await import('@codex/exec-listener');
  const logger = options.logger ?? silentLogger;
  let server: ExecServer | undefined;
  const waiting: (() => void)[] = [];
  const accept = (channel: Channel, { identity, remoteAddress }: PeerDescription): void => {
    if (server === undefined) {
      waiting.push(() => accept(channel, { identity, remoteAddress }));
      return;
    }
    const connection = server.accept(channel, { identity });
    logger.info('client connected', { connection: connection.id, remoteAddress, identity });
    void connection.closed.then(({ code, reason }) =>
      logger.info('client disconnected', { connection: connection.id, code, reason }),
    );
  };
  const listener = await WebSocketListener.listen({
    ...gateOptions(options),
    host,
    port,
    onChannel: accept,
    onRefused: (refusal) => logger.warn('connection refused', { ...refusal }),
  });
  options.onListening?.(listener.url);
  server = await createServer(options);
  for (const acceptWaiting of waiting) acceptWaiting();
  await aborted(options.signal);
  await server.shutdown();
  await listener.close();
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
