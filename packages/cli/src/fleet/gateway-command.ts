// `exec-server gateway`: a websocket door to a fleet, beside an agent or as a service of its own.

import { Command } from 'commander';
import { leaveSoon } from '../leave-soon.js';
import { printText } from '../print-text.js';
import { type AuthFlags, authenticatorFromFlags } from '../settings/auth-flags.js';
import { effectiveSettings, settingValues } from '../settings/effective-settings.js';
import { type BrokerFlags, brokerPlace, FLEET_SETTINGS, FleetFlagError } from '../settings/fleet-flags.js';
import { parseListenUrl } from '../settings/listen-url.js';
import { SERVER_SETTINGS } from '../settings/server-settings.js';
import type { Setting } from '../settings/setting.js';
import { addSettingFlags, givenFlags } from '../settings/setting-options.js';
import { readTls } from '../settings/tls-files.js';
import { abortOnStopSignals } from '../shutdown-signals.js';
import { createStderrLogger, type LogFormat, type LogLevel } from '../stderr-logger.js';
import { endsWhenItFails } from './ends-when-it-fails.js';
import { type GatewayRoute, routeOf } from './gateway-route.js';
import { openStatusServer } from './status-server.js';
import { onlyTickets, ticketAuthFromFlags } from './tickets.js';

interface GatewayFlags extends AuthFlags, BrokerFlags {
  readonly listen: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly environment?: readonly string[];
  readonly allowHost?: readonly string[];
  readonly statusListen?: string;
  readonly lossGraceMs?: number;
  readonly ticketSecretFile?: string;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

const SHARED =
  /^(?:listen|ws[A-Z]\w*|tls\w+|insecurePlaintext|allowHost|log\w+|fleet|fleetCa|credentials|statusListen)$/;

const OWN: readonly Setting[] = [
  {
    name: 'environment',
    kind: 'list',
    placeholder: 'name',
    text: 'environments that clients may use; the first is what ws://HOST:PORT without a path means',
  },
  {
    name: 'ticketSecretFile',
    kind: 'path',
    placeholder: 'path',
    text: 'secret of tickets in addresses, for clients that can send nothing else (`fleet ticket` makes them)',
  },
  {
    name: 'lossGraceMs',
    kind: 'integer',
    placeholder: 'ms',
    fallback: 5000,
    text: 'how long the broker must know nothing of a machine before its sessions count as lost',
  },
];

/** What a flag of the server means here. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ['listen', 'where to listen: ws://IP:PORT'],
  ['fleet', 'the broker of the fleet (nats://, tls:// or wss://)'],
]);

const SETTINGS: readonly Setting[] = [
  ...[...SERVER_SETTINGS, ...FLEET_SETTINGS]
    .filter(
      ({ name }, index, all) => SHARED.test(name) && all.findIndex((other) => other.name === name) === index,
    )
    .map((setting) => ({ ...setting, text: TEXTS.get(setting.name) ?? setting.text })),
  ...OWN,
];

const NOTES = `
Clients connect to ws://HOST:PORT/e/ENVIRONMENT, or /e/ENVIRONMENT/m/MACHINE for one machine. Codex uses a gateway with
CODEX_EXEC_SERVER_URL=ws://127.0.0.1:PORT/e/ENVIRONMENT.`;

const OTHER_PATH = 'a gateway serves /e/ENVIRONMENT, of those environments that it was started with';
/** Clients are sent away over this time, so that they do not all come to the next gateway at once. */
const CLOSE_SPREAD_MS = 10_000;
const BUDGET_BYTES = 256 * 1024 * 1024;
/** Of messages of clients that are not whole yet. */
const MOST_UNFINISHED_BYTES = 512 * 1024 * 1024;
/** Clients wait 10 s for the answer to their first request; they should hear of a fleet without room before that. */
const ACQUIRE_TIMEOUT_MS = 8000;

export function gatewayCommand(): Command {
  const command = new Command('gateway');
  addSettingFlags(command, SETTINGS);
  return command.addHelpText('after', NOTES).action(async (_flags, self: Command) => {
    const effective = await effectiveSettings(SETTINGS, {
      flags: givenFlags(self, SETTINGS),
      env: process.env,
      config: false,
    });
    await endsWhenItFails(() => runGateway(settingValues(effective) as unknown as GatewayFlags));
  });
}

async function runGateway(flags: GatewayFlags): Promise<void> {
  const address = parseListenUrl(flags.listen);
  if (address.transport === 'stdio')
    throw new FleetFlagError('a gateway listens on ws://IP:PORT, not on stdio');
  const { environment: environments = [] } = flags;
  if (environments.length === 0)
    throw new FleetFlagError('`--environment` is missing: which of them clients may use');
  const route = (path: string): GatewayRoute | undefined => routeOf(path, environments);
  const ticketAuth = await ticketAuthFromFlags(flags, (path) => route(path)?.environment);
  const auth = (await authenticatorFromFlags(flags)) ?? (ticketAuth && onlyTickets);
  const tls = await readTls(flags);
  const [{ FleetCaller, FleetCounters, Gateway, prometheusText }, { WebSocketListener }] = await Promise.all([
    import('@codex/exec-fleet'),
    import('@codex/exec-listener'),
  ]);
  const logger = createStderrLogger({ level: flags.logLevel, format: flags.logFormat });
  const stop = abortOnStopSignals();
  const counters = new FleetCounters();
  const place = brokerPlace(flags);
  const caller = await FleetCaller.connect({
    ...place,
    name: 'exec-server gateway',
    role: 'g',
    budgetBytes: BUDGET_BYTES,
    metrics: counters,
  });
  let failure: Error | undefined;
  caller.link.listen({
    up: () => counters.reconnected(),
    closed: (error) => {
      if (stop.signal.aborted) return;
      failure = new FleetFlagError(`the broker lets this gateway in no more: ${error?.message ?? 'closed'}`);
      stop.abort();
    },
  });
  // Better now than at the first client.
  for (const environment of environments) await caller.checkPermission(environment);
  const gateway = new Gateway({
    caller,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    metrics: counters,
    ...(flags.lossGraceMs === undefined ? {} : { lossGraceMs: flags.lossGraceMs }),
    onRefused: (reason) => logger.warn('no machine for a client', { reason }),
  });
  const listener = await WebSocketListener.listen({
    host: address.host,
    port: address.port,
    servesPath: (path) => route(path) !== undefined,
    otherPath: OTHER_PATH,
    limits: { maxUnfinishedBytes: MOST_UNFINISHED_BYTES },
    onChannel: (channel, { identity, grants, mayOnlyResume = false, path = '/' }) => {
      const chosen = route(path);
      const principal = { identity, ...(grants === undefined ? {} : { grants }) };
      if (chosen !== undefined) gateway.accept(channel, { ...chosen, principal, mayOnlyResume });
    },
    onRefused: (refusal) => logger.warn('connection refused', { ...refusal }),
    ...(auth === undefined ? {} : { auth }),
    ...(ticketAuth === undefined ? {} : { ticketAuth }),
    ...(tls === undefined ? {} : { tls }),
    ...(flags.insecurePlaintext === true ? { insecurePlaintext: true } : {}),
    ...(flags.allowHost === undefined ? {} : { allowHosts: flags.allowHost }),
  });
  const status = await openStatusServer(flags.statusListen, {
    isReady: () => caller.link.isUp && !stop.signal.aborted,
    metrics: () =>
      prometheusText(counters, {
        exec_fleet_channels: caller.channelCount,
        exec_fleet_gateway_clients: gateway.clientCount,
      }),
  });
  printText(`${listener.url}\n`);
  await new Promise<void>((resolve) => {
    if (stop.signal.aborted) resolve();
    else stop.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await gateway.close(CLOSE_SPREAD_MS);
  await listener.close();
  status?.close();
  if (failure !== undefined) throw failure;
  leaveSoon();
}
