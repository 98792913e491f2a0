// DNS rebinding: a page's own name can be made to resolve to 127.0.0.1, and then its requests carry that foreign name as
// Host. A listener on loopback is asked for by address or as `localhost`; any other name is refused.
// Does not stop: a program that sets the header itself.

import { isIP } from 'node:net';

export interface HostGate {
  readonly allowHosts: readonly string[];
}

/** `hosts` are all Host headers of the request: more than one is a smuggling attempt. */
export function isHostAllowed(hosts: readonly string[], { allowHosts }: HostGate): boolean {
  const [host] = hosts;
  if (host === undefined || hosts.length !== 1) return false;
  const name = parseHost(host)?.name;
  if (name === undefined) return false;
  return (
    name === 'localhost' || isIP(name) !== 0 || allowHosts.some((allowed) => allowed.toLowerCase() === name)
  );
}

/** All values of one header as they stood in the request. */
export function rawHeaderValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/**
 * The port is not compared by `isHostAllowed`: behind a port forwarding it differs, and a rebinding page must use the real
 * one anyway.
 */
export function parseHost(host: string): { readonly name: string; readonly port?: number } | undefined {
  const match = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<name>[a-z0-9._-]+))(?::(?<port>\d{1,5}))?$/i.exec(host);
  if (match === null) return undefined;
  const { six, name, port } = match.groups ?? {};
  if (port !== undefined && Number(port) > 65_535) return undefined;
  if (six !== undefined && isIP(six) !== 6) return undefined;
  const lower = (six ?? name ?? '').toLowerCase();
  return port === undefined ? { name: lower } : { name: lower, port: Number(port) };
}
