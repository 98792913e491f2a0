// Serves as a machine of a fleet until it is told to stop or its work is done. Nothing listens; the broker is dialled.

import type { Executor } from '@codex/exec-fleet';
import type { Authenticator } from '@codex/exec-listener';
import type { ExecServer, ExecServerOptions, ServerMetrics } from '@codex/exec-server-core';
import { DEFAULT_SESSION_LIMITS, type Logger } from '@codex/exec-server-core/defaults';
import type { BrokerPlace, FleetFlags } from '../settings/fleet-flags.js';
import { endsWhenItFails } from './ends-when-it-fails.js';
import { openStatusServer } from './status-server.js';

export interface ServeFleetOptions {
  readonly place: BrokerPlace & { readonly environment: string };
  readonly flags: FleetFlags;
  readonly server: ExecServerOptions;
  readonly logger: Logger;
  readonly version: string;
  /** Lets the machine drain. */
  readonly signal: AbortSignal;
  /** Clients have to bring a token beside their credentials. */
  readonly auth?: Authenticator;
  /** Those of the server, where they are counted already. */
  readonly metrics?: ServerMetrics;
  createServer(more: FleetServerOptions): Promise<ExecServer>;
  onJoined(label: string): void;
}

type FleetServerOptions = Pick<ExecServerOptions, 'sessionHooks' | 'metrics' | 'refusedPorts'>;

/** The wall clock is looked at so often, for a machine that was suspended. */
const LOOK_MS = 1000;
const HOUR_MS = 3_600_000;

export function serveFleet(options: ServeFleetOptions): Promise<void> {
  return endsWhenItFails(() => serveAsMachine(options));
}

async function serveAsMachine(options: ServeFleetOptions): Promise<void> {
  const {
    Executor: Machine,
    FleetCounters,
    parseBrokerAddress,
    prometheusText,
  } = await import('@codex/exec-fleet');
  const { flags, logger, place, auth } = options;
  const session = { ...DEFAULT_SESSION_LIMITS, ...options.server.session };
  const counters = new FleetCounters();
  let failure: Error | undefined;
  let stop = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    stop = resolve;
  });
  options.signal.addEventListener('abort', () => stop(), { once: true });
  const executor = await Machine.join({
    ...place,
    ...(flags.name === undefined ? {} : { name: flags.name }),
    maxSessions: session.maxSessions,
    sessionTtlMs: session.sessionTtlMs,
    maxSessionTtlMs: session.maxSessionTtlMs,
    version: options.version,
    metrics: counters,
    ...(auth === undefined ? {} : { verifyToken: (token) => auth(bearer(token)) }),
    onIdle: () => {
      if (flags.exitAfterSession === true) stop();
    },
    onDrain: () => {
      logger.info('an operator asked this machine to drain');
      stop();
    },
    onFailure: (error) => {
      failure ??= error;
      stop();
    },
  });
  const { server, status } = await beginning(executor, async () => {
    const metrics = options.metrics ?? (await statusMetrics(flags));
    const made = await options.createServer({
      ...(metrics === undefined ? {} : { metrics }),
      refusedPorts: brokerPorts(parseBrokerAddress(place.broker, place).ports, logger),
      sessionHooks: {
        newId: () => executor.newSessionId(),
        opened: () => executor.sessionOpened(),
        ended: () => executor.sessionEnded(),
      },
    });
    const shown = await openStatusServer(flags.statusListen, {
      isReady: () => executor.isConnected && executor.state === 'serving',
      metrics: () =>
        prometheusText(counters, {
          exec_fleet_channels: executor.channelCount,
          exec_fleet_sessions: executor.sessions,
        }) + (metrics?.render() ?? ''),
    });
    await executor.serve(made);
    return { server: made, status: shown };
  });
  const looking = setInterval(() => server.endExpiredSessions(), LOOK_MS).unref();
  if (failure === undefined) {
    options.onJoined(executor.label);
    logger.info('joined the fleet', { machine: executor.label, broker: executor.brokerVersion });
  }
  await ended;
  if (failure === undefined) {
    logger.info('draining', { sessions: executor.sessions });
    await executor.drain(flags.drainTimeoutMs ?? HOUR_MS);
  }
  clearInterval(looking);
  await server.shutdown();
  await executor.leave();
  status?.close();
  if (failure !== undefined) throw failure;
}

/** What fails now leaves no machine behind that nobody serves. */
async function beginning<T>(executor: Executor, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await executor.leave();
    throw error;
  }
}

/** Without these a sandbox with the network would have next to none. */
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** What sandboxed commands may not connect to. */
function brokerPorts(ports: readonly number[], logger: Logger): number[] {
  if (ports.some((port) => WEB_PORTS.has(port)))
    logger.warn(
      'sandboxed commands that may use the network can reach the broker: it is on a port of the web',
    );
  return ports.filter((port) => !WEB_PORTS.has(port));
}

/** The numbers of the server, for the page that tells those of the fleet. */
async function statusMetrics({ statusListen }: FleetFlags): Promise<ServerMetrics | undefined> {
  if (statusListen === undefined) return undefined;
  const { ServerMetrics: Metrics } = await import('@codex/exec-server-core');
  return new Metrics();
}

function bearer(token: string | undefined): string | undefined {
  return token === undefined ? undefined : `Bearer ${token}`;
}
