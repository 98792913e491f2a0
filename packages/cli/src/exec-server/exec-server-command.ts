// `codex exec-server`: the flags, and what they start.
import { writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  createStderrLogger,
  LOG_FORMATS,
  LOG_LEVELS,
  type LogFormat,
  type LogLevel,
} from '../stderr-logger.js';
import { AUTH_MODES, AuthFlagError, type AuthFlags, authenticatorFromFlags } from './auth-flags.js';
import { connectionHints } from './connection-hints.js';
import { addLimitFlags, type LimitFlags, limitOverrides } from './limit-flags.js';
import { DEFAULT_LISTEN_URL, parseListenUrl } from './listen-url.js';
import { runMain } from './run-main.js';
import type { ExecServerRuntimePaths } from './runtime-paths.js';
import { abortOnStopSignals } from './stop-signals.js';

const STDOUT = 1;

interface ExecServerFlags extends AuthFlags {
  readonly listen: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecurePlaintext?: boolean;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly quiet?: boolean;
}

export function execServerCommand(runtimePaths: ExecServerRuntimePaths): Command {
  const command = new Command('exec-server')
    .description('Serve processes and files to a coding agent over a websocket or stdio')
    .option('--listen <url>', 'where to listen: ws://IP:PORT, or stdio', DEFAULT_LISTEN_URL)
    .addOption(new Option('--ws-auth <mode>', 'authentication of websocket clients').choices(AUTH_MODES))
    .option('--ws-token-file <path>', 'absolute path of the file that holds the capability token')
    .option('--ws-token-sha256 <hex>', 'SHA-256 digest of the capability token')
    .option(
      '--ws-shared-secret-file <path>',
      'absolute path of the file that holds the secret of signed tokens',
    )
    .option('--ws-issuer <issuer>', 'expected issuer of signed tokens')
    .option('--ws-audience <audience>', 'expected audience of signed tokens')
    .option('--ws-max-clock-skew-seconds <seconds>', 'tolerated clock difference for signed tokens', seconds)
    .option('--tls-cert <path>', 'certificate (PEM); needed off loopback')
    .option('--tls-key <path>', 'private key (PEM) of the certificate')
    .option('--insecure-plaintext', 'accept that tokens and output cross the network in the clear')
    .option(
      '--allow-host <name...>',
      'names, besides IP addresses and localhost, that clients may call this server by',
    )
    .option('--allow-origin <origin...>', 'browser origins that may connect (needs --ws-auth)')
    .addOption(new Option('--log-level <level>', 'what to log on stderr').choices(LOG_LEVELS).default('warn'))
    .addOption(
      new Option('--log-format <format>', 'form of the log lines').choices(LOG_FORMATS).default('text'),
    )
    .option('--quiet', 'no hints on stderr how to connect');
  addLimitFlags(command);
  return command.action((flags: ExecServerFlags) => serve(flags, runtimePaths));
}

async function serve(flags: ExecServerFlags, runtimePaths: ExecServerRuntimePaths): Promise<void> {
  const address = parseListenUrl(flags.listen);
  const auth = await authenticatorFromFlags(flags);
  if (auth !== undefined && address.transport === 'stdio') {
    throw new AuthFlagError('WebSocket auth requires a WebSocket listener, not stdio');
  }
  const tls = await readTls(flags);
  const { listener, keepalive, ...server } = limitOverrides(flags as unknown as LimitFlags);
  await runMain({
    listen: flags.listen,
    runtimePaths,
    logger: createStderrLogger({ level: flags.logLevel, format: flags.logFormat }),
    signal: abortOnStopSignals(),
    server: { ...server, secretFiles: secretFiles(flags) },
    ...(listener === undefined ? {} : { limits: listener }),
    ...(keepalive === undefined ? {} : { keepalive }),
    ...(auth === undefined ? {} : { auth }),
    ...(tls === undefined ? {} : { tls }),
    ...(flags.insecurePlaintext === true ? { insecurePlaintext: true } : {}),
    ...(flags.allowHost === undefined ? {} : { allowHosts: flags.allowHost }),
    ...(flags.allowOrigin === undefined ? {} : { allowOrigins: flags.allowOrigin }),
    onListening: (url) => {
      announce(url);
      if (flags.quiet !== true)
        process.stderr.write(connectionHints(url, { needsToken: auth !== undefined }));
    },
  });
}

/** Straight to the descriptor: making a stream of it first would be a noticeable part of the start. */
function announce(url: string): void {
  try {
    writeSync(STDOUT, `${url}\n`);
  } catch {
    // The reader has left already; the server is there all the same.
  }
}

/** What a sandboxed command must not read, although it runs as the same user. */
function secretFiles({ wsTokenFile, wsSharedSecretFile, tlsKey }: ExecServerFlags): string[] {
  return [wsTokenFile, wsSharedSecretFile, tlsKey].flatMap((path) =>
    path === undefined ? [] : [resolve(path)],
  );
}

async function readTls({
  tlsCert,
  tlsKey,
}: ExecServerFlags): Promise<{ cert: Buffer; key: Buffer } | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new AuthFlagError('`--tls-cert` and `--tls-key` go together');
  }
  const { readFile } = await import('node:fs/promises');
  return { cert: await readFile(tlsCert), key: await readFile(tlsKey) };
}

function seconds(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number of seconds.');
  return Number(text);
}
