// `network_rule`: parsed, checked and listed. Nothing here enforces it.

import { type Decision, parseDecision } from './decision.js';

export type NetworkProtocol = 'http' | 'https' | 'socks5_tcp' | 'socks5_udp';

export interface NetworkRule {
  /** In lower case, without port, brackets and trailing dots. */
  readonly host: string;
  readonly protocol: NetworkProtocol;
  readonly decision: Decision;
  readonly justification: string | undefined;
}

const PROTOCOLS: Readonly<Record<string, NetworkProtocol>> = {
  http: 'http',
  https: 'https',
  https_connect: 'https',
  'http-connect': 'https',
  socks5_tcp: 'socks5_tcp',
  socks5_udp: 'socks5_udp',
};

export function parseProtocol(text: string): NetworkProtocol | undefined {
  return Object.hasOwn(PROTOCOLS, text) ? PROTOCOLS[text] : undefined;
}

export function parseNetworkDecision(text: string): Decision | undefined {
  return text === 'deny' ? 'forbidden' : parseDecision(text);
}

export type ParsedHost = { readonly host: string } | { readonly problem: string };

const SPACE = /\p{White_Space}/u;
const OUTER_SPACE = /^\p{White_Space}+|\p{White_Space}+$/gu;

export function parseHost(text: string): ParsedHost {
  const trimmed = text.replace(OUTER_SPACE, '');
  if (/[/?#]/.test(trimmed)) return { problem: 'a host has no scheme and no path' };
  if (trimmed.startsWith('[') && !trimmed.includes(']'))
    return { problem: 'the bracket of the host is not closed' };
  const [, bracketed, suffix] = /^\[([^\]]*)\](.*)$/s.exec(trimmed) ?? [];
  if (suffix !== undefined && !/^(?::\d+)?$/.test(suffix))
    return { problem: 'after the host only a port may follow' };
  const [, named] = /^([^:]+):\d+$/.exec(trimmed) ?? [];
  const host = (bracketed ?? named ?? trimmed).replace(OUTER_SPACE, '').replace(/\.+$/, '').toLowerCase();
  if (host === '') return { problem: 'the host cannot be empty' };
  if (host.includes('*')) return { problem: 'a host has no wildcards' };
  return SPACE.test(host) ? { problem: 'a host has no white space' } : { host };
}
