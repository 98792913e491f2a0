// Turns a connect target into something that opens channels to it, as often as it can be opened.

import type { Channel } from '@codex/exec-rpc';
import { platform } from '#platform';
import { unsupported } from '../capabilities.js';
import { invalidArgument } from '../exec-server-error.js';
import type { ConnectOptions, ConnectTarget } from './connect-options.js';
import { heartbeatTimes } from './heartbeat.js';

export interface ChannelOpener {
  /** Names the target in errors. Never holds a secret. */
  readonly label: string;
  readonly reopenable: boolean;
  open(signal: AbortSignal): Promise<Channel>;
}

export function channelOpener(target: ConnectTarget, options: ConnectOptions): ChannelOpener {
  if (typeof target === 'string' || target instanceof URL) return webSocketOpener(target, options);
  if ('command' in target) return commandOpener(target);
  const { channel } = target;
  if (typeof channel === 'function') {
    return { label: 'channel', reopenable: true, open: async () => channel() };
  }
  return { label: channel.label, reopenable: false, open: () => Promise.resolve(channel) };
}

function webSocketOpener(target: string | URL, options: ConnectOptions): ChannelOpener {
  const url = parseUrl(target);
  const { headers = {}, token } = options;
  const heartbeat = heartbeatTimes(options.heartbeat);
  return {
    label: `${url.protocol}//${url.host}`,
    reopenable: true,
    open: (signal) =>
      platform.openWebSocket(url.href, {
        headers,
        signal,
        heartbeat,
        ...(token === undefined ? {} : { token }),
      }),
  };
}

function parseUrl(target: string | URL): URL {
  let url: URL;
  try {
    url = new URL(target);
  } catch {
    throw invalidArgument('target', `not a URL: ${String(target)}`);
  }
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') {
    throw invalidArgument('target', `an exec-server URL starts with ws:// or wss://, not ${url.protocol}//`);
  }
  return url;
}

function commandOpener(target: Extract<ConnectTarget, { command: unknown }>): ChannelOpener {
  const { openCommand } = platform;
  const { cwd, env } = target;
  const [program, ...args] = target.command;
  if (program === undefined) throw invalidArgument('target', 'a command needs a program to run');
  return {
    label: program,
    // A server on stdio ends with its connection and takes its sessions along.
    reopenable: false,
    open: async () => {
      if (openCommand === undefined) throw unsupported('connect.command', 'Starting a server');
      return openCommand({
        argv: [program, ...args],
        ...(cwd === undefined ? {} : { cwd }),
        ...(env === undefined ? {} : { env }),
      });
    },
  };
}
