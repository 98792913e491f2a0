// Where the broker is, and that nothing crosses a network in the clear unless that is said.

import { FleetError } from '../fleet-error.js';

export interface BrokerAddress {
  /** As it was given, without anything secret. Several addresses of one cluster are separated by commas. */
  readonly label: string;
  readonly servers: readonly string[];
  readonly transport: 'tcp' | 'websocket';
  /** The connection must be encrypted. */
  readonly needsTls: boolean;
  /** The broker may name other servers of its cluster. In the clear they could be on other machines. */
  readonly learnsServers: boolean;
  readonly ports: readonly number[];
}

const SCHEMES: ReadonlySet<string> = new Set(['nats:', 'tls:', 'ws:', 'wss:']);
const LOOPBACK = /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/;

export function parseBrokerAddress(text: string, { insecurePlaintext = false } = {}): BrokerAddress {
  const urls = text.split(',').map((part) => parseOne(part.trim()));
  const schemes = new Set(urls.map(({ protocol }) => protocol));
  const [scheme = ''] = schemes;
  if (schemes.size !== 1) throw bad('the addresses of one broker cluster have the same scheme');
  const isEncrypted = scheme === 'tls:' || scheme === 'wss:';
  const isLocal = urls.every(({ hostname }) => LOOPBACK.test(hostname));
  if (scheme === 'ws:' && !isLocal && !insecurePlaintext) {
    throw bad(
      'credentials and output would cross the network in the clear; use wss://, or accept plaintext explicitly',
    );
  }
  const needsTls = isEncrypted || (scheme === 'nats:' && !isLocal && !insecurePlaintext);
  return {
    label: urls.map((url) => `${url.protocol}//${url.host}`).join(','),
    servers: urls.map((url) => (scheme.startsWith('ws') ? url.href : url.host)),
    transport: scheme.startsWith('ws') ? 'websocket' : 'tcp',
    ports: [...new Set(urls.map(portOf))],
    needsTls,
    learnsServers: needsTls || insecurePlaintext,
  };
}

function parseOne(text: string): URL {
  let url: URL;
  try {
    // Only the schemes that URL knows have a host that is parsed.
    url = new URL(
      text.replace(/^(nats|tls):/i, (scheme) => (scheme.toLowerCase() === 'tls:' ? 'wss:' : 'ws:')),
    );
  } catch {
    throw bad('not an address; expected nats://HOST:PORT');
  }
  const scheme = `${text.split(':', 1)[0]?.toLowerCase()}:`;
  if (!SCHEMES.has(scheme)) throw bad('a broker address starts with nats://, tls:// or wss://');
  if (url.username !== '' || url.password !== '') {
    throw bad('an address must not hold credentials; name a credentials file');
  }
  return withScheme(url, scheme);
}

const DEFAULT_PORT = '4222';

function withScheme(url: URL, scheme: string): URL {
  if (scheme === 'ws:' || scheme === 'wss:') return url;
  const port = url.port === '' ? DEFAULT_PORT : url.port;
  return new URL(`${scheme}//${url.hostname}:${port}`);
}

const WEB_PORTS: Readonly<Record<string, number>> = { 'ws:': 80, 'wss:': 443 };

function portOf({ port, protocol }: URL): number {
  return port === '' ? (WEB_PORTS[protocol] ?? Number(DEFAULT_PORT)) : Number(port);
}

function bad(why: string): FleetError {
  return new FleetError('FLEET_ADDRESS', `the broker's address: ${why}`);
}
