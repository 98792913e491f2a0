// Serves until it is told to stop: the embeddable whole of `codex exec-server`.

import type { ListenerOptions } from '@codex/exec-rpc/ws-listener';
import {
  ExecServer,
  type ExecServerOptions,
  type Logger,
  loadDeferredModules,
  silentLogger,
} from '@codex/exec-server-core';
import { createLauncher } from '@codex/launcher';
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
  const server = new ExecServer({
    ...options.server,
    logger: options.logger ?? silentLogger,
    ...piecesFrom(options.runtimePaths),
  });
  const serve = address.transport === 'stdio' ? serveStdio : serveWebSocket;
  const deferred = setTimeout(() => void loadDeferredModules().catch(() => undefined), LOAD_THE_REST_MS);
  try {
    await serve(server, options, address);
  } finally {
    clearTimeout(deferred);
  }
}

/** Late enough to be out of the way of the first client. */
const LOAD_THE_REST_MS = 500;

async function serveStdio(server: ExecServer, { signal }: RunMainOptions): Promise<void> {
  const { createStdioChannel } = await import('@codex/exec-rpc/stdio');
  const channel = createStdioChannel({ input: process.stdin, output: openStandardOutput() });
  const connection = server.accept(channel, { identity: 'stdio' });
  await Promise.race([connection.closed, aborted(signal)]);
  await server.shutdown();
}

async function serveWebSocket(
  server: ExecServer,
  options: RunMainOptions,
  address: ListenAddress,
): Promise<void> {
  if (address.transport !== 'websocket') return;
  const { WebSocketListener } = await import('@codex/exec-rpc/ws-listener');
  const logger = options.logger ?? silentLogger;
  const listener = await WebSocketListener.listen({
    ...gateOptions(options),
    sandboxesMayRun: () => server.hasSandboxedProcesses,
    host: address.host,
    port: address.port,
    onChannel: (channel, { identity, remoteAddress }) => {
      const connection = server.accept(channel, { identity });
      logger.info('client connected', { connection: connection.id, remoteAddress, identity });
      void connection.closed.then(({ code, reason }) =>
        logger.info('client disconnected', { connection: connection.id, code, reason }),
      );
    },
    onRefused: (refusal) => logger.warn('connection refused', { ...refusal }),
  });
  options.onListening?.(listener.url);
  await aborted(options.signal);
  await server.shutdown();
  await listener.close();
}

function piecesFrom({
  launcher,
  fileHelper,
}: ExecServerRuntimePaths): Pick<ExecServerOptions, 'launcher' | 'fileHelper'> {
  return {
    ...(launcher === undefined ? {} : { launcher: createLauncher({ nativePath: launcher }) }),
    ...(fileHelper === undefined ? {} : { fileHelper }),
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
