// Turns a connect target into a function that opens a channel to it, again for every reconnect where that is
// possible.

import { show } from '@codex/exec-protocol/options';
import type { Channel } from '@codex/exec-rpc';
import { platform } from '#platform';
import { unsupported } from '../capabilities.js';
import { invalidArgument } from '../exec-server-error.js';
import type { ChannelOpener } from '../platform.js';
import type { ConnectOptions, ConnectTarget } from './connect-options.js';
import { heartbeatTimes } from './heartbeat.js';

export function channelOpener(target: ConnectTarget, options: ConnectOptions): ChannelOpener {
  if (typeof target === 'string' || target instanceof URL) {
    return isFleet(target, options) ? fleetOpener(String(target), options) : webSocketOpener(target, options);
  }
  checkTarget(target);
  if ('command' in target) return commandOpener(target);
  const { channel } = target;
  if (typeof channel === 'function') return new OpenerOfChannels(channel);
  return { label: channel.label, reopenable: false, open: () => Promise.resolve(channel) };
}

/** Called as its newest channel is: a function tells nothing of what it leads to. */
class OpenerOfChannels implements ChannelOpener {
  readonly reopenable = true;
  readonly #make: () => Channel | Promise<Channel>;
  #label = 'channel';

  constructor(make: () => Channel | Promise<Channel>) {
    this.#make = make;
  }

  get label(): string {
    return this.#label;
  }

  async open(): Promise<Channel> {
    const channel = await this.#make();
    this.#label = channel.label;
    return channel;
  }
}

/** For callers without types: `connect()`, or a URL of the environment that is not set. */
function checkTarget(target: unknown): void {
  const isTarget =
    typeof target === 'object' && target !== null && ('command' in target || 'channel' in target);
  if (isTarget) return;
  throw invalidArgument('target', `connect takes a URL, { command } or { channel }, not ${show(target)}`);
}

/** A broker is spoken to in its own scheme; over a websocket only the environment tells it from a server. */
function isFleet(target: string | URL, { environment }: ConnectOptions): boolean {
  return environment !== undefined || /^(?:nats|tls):/i.test(String(target));
}

function fleetOpener(broker: string, options: ConnectOptions): ChannelOpener {
  const { environment, machine, credentials, caFile, clientName, sessionTtlMs, fleet = {} } = options;
  if (environment === undefined) {
    throw invalidArgument(
      'environment',
      'a broker serves many machines: say which environment, as in { environment: "default" }',
    );
  }
  const { openFleet } = platform;
  if (openFleet === undefined) throw unsupported('connect.fleet', 'Connecting to a fleet');
  return openFleet({
    broker,
    environment,
    ...fleet,
    ...(machine === undefined ? {} : { machine }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(caFile === undefined ? {} : { caFile }),
    ...(clientName === undefined ? {} : { clientName }),
    ...(sessionTtlMs === undefined ? {} : { sessionTtlMs }),
    ...(options.token === undefined ? {} : { token: options.token }),
  });
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
    throw invalidArgument(
      'target',
      `an exec-server URL starts with ws:// or wss://, a fleet's with nats:// or tls://, not ${url.protocol}//`,
    );
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
