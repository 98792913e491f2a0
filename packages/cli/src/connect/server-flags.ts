// The flags that name a server and its token. A secret is read from a file or the environment, never from the command
// line, where every user of the machine could see it.

import { readFileSync } from 'node:fs';
import { CodedError } from '@codex/exec-protocol';
import { type Command, Option } from 'commander';

export interface ServerFlags {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly insecurePlaintext?: boolean;
}

export interface ServerAddress {
  /** Undefined is a server in this process. */
  readonly url?: string;
  readonly token?: string;
}

export class ServerFlagError extends CodedError<'SERVER_FLAGS_INVALID'> {
  constructor(message: string) {
    super('SERVER_FLAGS_INVALID', message);
  }
}

export const URL_VARIABLE = 'CODEX_EXEC_SERVER_URL';
export const TOKEN_VARIABLE = 'CODEX_EXEC_SERVER_TOKEN';

/** Values of the variable and the flag that mean no remote server. */
const NO_URL = new Set(['', 'none', 'local']);

const URL_HELP =
  'ws:// or wss:// address of an exec-server; without one, or with "local", a server in this process';

export function addServerFlags(command: Command, urlHelp: string = URL_HELP): Command {
  return command
    .addOption(new Option('--url <url>', urlHelp).env(URL_VARIABLE))
    .option('--token-file <path>', `file with the server's token (or set ${TOKEN_VARIABLE})`)
    .option('--insecure-plaintext', 'send the token over ws:// to another machine all the same');
}

export function serverAddress(flags: ServerFlags, env: NodeJS.ProcessEnv): ServerAddress {
  if (flags.url === undefined || NO_URL.has(flags.url)) {
    if (flags.tokenFile !== undefined) throw new ServerFlagError('`--token-file` needs `--url`');
    return {};
  }
  const url = parseServerUrl(flags.url);
  const token = tokenFrom(flags, env);
  if (token === undefined) return { url: url.href };
  if (url.protocol === 'ws:' && !isLoopback(url.hostname) && flags.insecurePlaintext !== true) {
    throw new ServerFlagError(
      `the token would cross the network to ${url.host} in the clear; use wss://, or say --insecure-plaintext`,
    );
  }
  return { url: url.href, token };
}

function parseServerUrl(text: string): URL {
  // The text is not repeated in the messages: it may hold what should not have been typed.
  if (!URL.canParse(text)) throw new ServerFlagError('`--url` is not a URL; expected ws://HOST:PORT');
  const url = new URL(text);
  if (url.protocol === 'nats:' || url.protocol === 'tls:') {
    throw new ServerFlagError(
      '`--url` is the address of an exec-server, not of a broker; for a fleet start `exec-server gateway`, and use ws://HOST:PORT/e/ENVIRONMENT',
    );
  }
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') {
    throw new ServerFlagError(`\`--url\` starts with ws:// or wss://, not ${url.protocol}//`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new ServerFlagError(
      `a URL on the command line must not hold credentials; use --token-file or ${TOKEN_VARIABLE}`,
    );
  }
  return url;
}

function tokenFrom({ tokenFile }: ServerFlags, env: NodeJS.ProcessEnv): string | undefined {
  if (tokenFile === undefined) {
    const token = env[TOKEN_VARIABLE]?.trim();
    return token === '' ? undefined : token;
  }
  let text: string;
  try {
    text = readFileSync(tokenFile, 'utf8').trim();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ServerFlagError(`cannot read the token: ${why}`);
  }
  if (text === '') throw new ServerFlagError(`the token file ${tokenFile} is empty`);
  return text;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
