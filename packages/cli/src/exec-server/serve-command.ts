// `exec-server serve`, which is also what the program does without a command: reads the settings and starts the
// server.
import { resolve } from 'node:path';
import type { Grant } from '@codex/exec-protocol';
import type { WeakerForm } from '@codex/sandbox';
import { Command } from 'commander';
import { consoleFromFlags } from '../console/console-flags.js';
import { leaveSoon } from '../leave-soon.js';
import { printError, printText } from '../print-text.js';
import type { ExecServerRuntimePaths } from '../runtime-paths.js';
import { AuthFlagError, type AuthFlags, authenticatorFromFlags } from '../settings/auth-flags.js';
import { effectiveSettings, settingValues } from '../settings/effective-settings.js';
import { type FleetFlags, fleetPlace } from '../settings/fleet-flags.js';
import { type LimitFlags, limitOverrides } from '../settings/limit-flags.js';
import { parseListenUrl } from '../settings/listen-url.js';
import { configDocument, configSchema } from '../settings/print-config.js';
import { SERVER_SETTINGS } from '../settings/server-settings.js';
import { addSettingFlags, givenFlags, settingsNamedIn } from '../settings/setting-options.js';
import { readTls } from '../settings/tls-files.js';
import { abortOnStopSignals, onInputClosed } from '../shutdown-signals.js';
import { createStderrLogger, type LogFormat, type LogLevel } from '../stderr-logger.js';
import { addCodexFlags, isCodexOverride, refuseCodexFlags } from './codex-flags.js';
import { connectionHints, consoleHint } from './connection-hints.js';
import { runMain } from './run-main.js';

interface ExecServerFlags extends AuthFlags, FleetFlags {
  readonly listen: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecurePlaintext?: boolean;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly quiet?: boolean;
  readonly exitOnStdinClose?: boolean;
  readonly console?: boolean;
  readonly consoleMaxGrants?: readonly Grant[];
  readonly acceptWeakerSandbox?: readonly WeakerForm[];
  readonly auditLog?: string;
  readonly record?: string;
  readonly metricsListen?: string;
}

/** `words` are what it will be called with; without them it has all flags, as help and completion show them. */
export function serveCommand(runtimePaths: ExecServerRuntimePaths, words?: readonly string[]): Command {
  const command = new Command('serve');
  const settings = words === undefined ? SERVER_SETTINGS : settingsNamedIn(words, SERVER_SETTINGS, OWN_FLAGS);
  addSettingFlags(command, settings);
  command
    .option(
      '--config <file>',
      `configuration file (default: ~/.config/exec-server/config.toml, if it is there)`,
    )
    .option('--no-config', 'read no configuration file')
    .option('--print-config', 'print the configuration that counts, and where each value is from')
    .option('--print-config-schema', 'print the JSON Schema of the configuration file')
    .addHelpText('after', NOTES);
  if (settings === SERVER_SETTINGS) addCodexFlags(command);
  return command.action((_flags, self: Command) => act(self, runtimePaths));
}

/** Besides the settings. */
const OWN_FLAGS = ['--config', '--no-config', '--print-config', '--print-config-schema'];

const NOTES = `
Each of these flags is also a key of the configuration file (listen = "ws://127.0.0.1:7070") and a variable
(EXEC_SERVER_LISTEN). A flag counts before a variable, a variable before the file.`;

interface ConfigFlags {
  readonly config?: string | false;
  readonly printConfig?: boolean;
  readonly printConfigSchema?: boolean;
}

async function act(command: Command, runtimePaths: ExecServerRuntimePaths): Promise<void> {
  refuseCodexFlags(command);
  const { config, printConfig, printConfigSchema }: ConfigFlags = command.opts();
  if (printConfigSchema === true) {
    printText(`${JSON.stringify(configSchema(SERVER_SETTINGS), null, 2)}\n`);
    return;
  }
  const effective = await effectiveSettings(SERVER_SETTINGS, {
    flags: givenFlags(command, SERVER_SETTINGS),
    env: process.env,
    config: askedFile(config),
  });
  if (printConfig === true) {
    printText(configDocument(effective));
    return;
  }
  await serve(settingValues(effective) as unknown as ExecServerFlags, runtimePaths);
}

function askedFile(config: string | false | undefined): string | false | undefined {
  return typeof config === 'string' && isCodexOverride(config) ? undefined : config;
}

async function serve(flags: ExecServerFlags, runtimePaths: ExecServerRuntimePaths): Promise<void> {
  const place = fleetPlace(flags);
  const address = parseListenUrl(flags.listen);
  const auth = await authenticatorFromFlags(flags);
  if (auth !== undefined && address.transport === 'stdio') {
    throw new AuthFlagError('WebSocket auth requires a WebSocket listener, not stdio');
  }
  const tls = await readTls(flags);
  const stop = abortOnStopSignals();
  if (flags.exitOnStdinClose === true && address.transport !== 'stdio') onInputClosed(() => stop.abort());
  const { listener, keepalive, ...server } = limitOverrides(flags as unknown as LimitFlags);
  await runMain({
    listen: flags.listen,
    ...(place === undefined ? {} : { fleet: { place, flags } }),
    runtimePaths,
    logger: createStderrLogger({ level: flags.logLevel, format: flags.logFormat }),
    signal: stop.signal,
    server: {
      ...server,
      secretFiles: secretFiles(flags),
      acceptedForms: flags.acceptWeakerSandbox ?? [],
    },
    ...(flags.auditLog === undefined ? {} : { auditLog: flags.auditLog }),
    ...(flags.record === undefined ? {} : { record: flags.record }),
    ...(flags.metricsListen === undefined ? {} : { metricsListen: flags.metricsListen }),
    ...(listener === undefined ? {} : { limits: listener }),
    ...(keepalive === undefined ? {} : { keepalive }),
    ...(auth === undefined ? {} : { auth }),
    ...(tls === undefined ? {} : { tls }),
    ...(flags.insecurePlaintext === true ? { insecurePlaintext: true } : {}),
    ...(flags.allowHost === undefined ? {} : { allowHosts: flags.allowHost }),
    ...(flags.allowOrigin === undefined ? {} : { allowOrigins: flags.allowOrigin }),
    ...consoleFromFlags(flags, runtimePaths),
    onListening: (url) => {
      printText(`${url}\n`);
      if (flags.quiet === true || place !== undefined) return;
      printError(connectionHints(url, { needsToken: auth !== undefined }));
    },
    onMetrics: (url) => {
      if (flags.quiet !== true) printError(`Metrics:  ${url}\n`);
    },
    onConsole: (console) => {
      if (flags.quiet !== true) printError(consoleHint(console.firstAddresses() ?? []));
    },
  });
  leaveSoon(address.transport === 'stdio' ? [process.stderr] : undefined);
}

/** What a sandboxed command must not read, although it runs as the same user. */
function secretFiles(flags: ExecServerFlags): string[] {
  const { wsTokenFile, wsSharedSecretFile, tlsKey, credentials, auditLog, record } = flags;
  return [wsTokenFile, wsSharedSecretFile, tlsKey, credentials, auditLog, record].flatMap((path) =>
    path === undefined ? [] : [resolve(path)],
  );
}
